import { goalAfter } from './goal-after.ts'
import { Places } from './places.ts'
import { isBusy, isUsable } from './usable.ts'

/**
 * Keeps the focus on the page. Where what has it is taken away, the browser gives it to the whole document: whoever
 * works by keyboard would have to come all the way again, and Escape or a key of a part would reach nothing.
 *
 * F1. What goes with a dialog, menu or panel gives the focus back to what had it before that was opened.
 * F2. What goes with its row gives it to the next row, at the end of a list to the one before, else to what is nearest.
 * F3. What is only busy lends it to the part that it is in, and has it back when it can be used again.
 * F4. What goes with its page gives it to the next page, as a whole.
 * F5. Nothing moves while a key is down: Enter presses what has the focus when the key was heard by everybody, again and
 * again while it is held.
 *
 * A click beside everything takes the focus away on purpose, and a focus that comes unasked opens the keyboard of a
 * phone: both are left alone. So is what moves the focus itself: this looks a moment later.
 *
 * `earlier` is what had it before this was loaded, the oldest first.
 */
export function keepFocus(earlier: readonly EventTarget[], signal: AbortSignal): void {
  if (signal.aborted) return
  const keeper = new FocusKeeper()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    if (timer !== undefined || !keeper.isAsked()) return
    timer = setTimeout(() => {
      timer = undefined
      keeper.look()
    }, OTHERS_FIRST_MS)
  }
  const observer = new MutationObserver((records) => {
    keeper.changed(records)
    look()
  })
  const options = { signal, capture: true }
  const used = (means: string, isHeld: boolean) => {
    keeper.used(means, isHeld)
    look()
  }
  document.addEventListener('focusin', ({ target }) => keeper.came(target), options)
  // What is disabled or hidden loses the focus when the page is drawn, without a change of the tree.
  document.addEventListener('focusout', () => queueMicrotask(look), options)
  document.addEventListener('pointerdown', ({ pointerType }) => used(pointerType, false), options)
  document.addEventListener('keydown', () => used('keys', true), options)
  document.addEventListener('keyup', () => used('keys', false), options)
  // Where the key is let go in another window, nobody here hears of it.
  window.addEventListener('blur', () => used('keys', false), { signal })
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  signal.addEventListener('abort', () => {
    observer.disconnect()
    clearTimeout(timer)
  })
  for (const target of earlier) keeper.came(target)
}

/** A dialog gives the focus back after 10 ms, and an editor that takes the place of a field takes it when it is drawn. */
const OTHERS_FIRST_MS = 50

/** Enough for a dialog over a dialog over a menu; more would hold parts that are long gone. */
const REMEMBERED = 12

class FocusKeeper {
  readonly #places = new Places<Node>()
  /** What had the focus, the last first. */
  #trail: readonly HTMLElement[] = []
  /** The part that has it while what is in it is busy. */
  #borrower: HTMLElement | undefined
  #isLeftAlone = false

  used(means: string, isHeld: boolean): void {
    this.#isLeftAlone = means === 'touch' || isHeld
  }

  came(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement) || target === document.body || target === this.#borrower) return
    this.#borrower = undefined
    this.#trail = [target, ...this.#trail.filter((other) => other !== target)].slice(0, REMEMBERED)
  }

  changed(records: readonly MutationRecord[]): void {
    for (const record of records) this.#places.note(record)
  }

  /** Nothing has the focus, or a part that has only borrowed it. */
  isAsked(): boolean {
    const { activeElement } = document
    const isNowhere = activeElement === null || activeElement === document.body
    return this.#trail.length > 0 && !this.#isLeftAlone && (isNowhere || activeElement === this.#borrower)
  }

  look(): void {
    const last = this.#trail[0]
    if (last === undefined || !this.isAsked()) return
    if (isUsable(last)) this.#giveBack(last)
    else if (isBusy(last)) this.#lend(last)
    else this.#moveOn()
  }

  #giveBack(last: HTMLElement): void {
    if (this.#borrower !== undefined) focus(last)
    // Nothing took it from there: it was left on purpose.
    else this.#trail = []
  }

  #lend(last: HTMLElement): void {
    if (this.#borrower !== undefined) return
    this.#borrower = last.parentElement?.closest<HTMLElement>('[tabindex], main') ?? undefined
    focus(this.#borrower)
  }

  #moveOn(): void {
    this.#borrower = undefined
    focus(goalAfter(this.#trail, this.#places) ?? document.getElementById('main'))
  }
}

function focus(element: HTMLElement | null | undefined): void {
  element?.focus({ preventScroll: true })
}
