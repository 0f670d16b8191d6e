import type { Place, Places } from './places.ts'
import { firstUsable, isUsable, kindOf } from './usable.ts'

/** Where the focus goes after what had it, the last first. */
export function goalAfter(trail: readonly HTMLElement[], places: Places<Node>): HTMLElement | undefined {
  for (const [at, element] of trail.entries()) {
    if (isUsable(element)) return element
    const gone = element.isConnected ? undefined : places.of(element)
    if (gone === undefined || gone.parts.some(isOpened)) continue
    const before = trail[at + 1]
    // As the field in which a node is renamed: it was opened in what had the focus.
    if (before?.contains(gone.place.parent) && isUsable(before)) return before
    const goal = nearest(gone.place, kindOf(element))
    if (goal !== undefined) return goal
  }
  return undefined
}

/** It was opened from somewhere, and what is beside it has nothing to do with it. */
function isOpened(node: Node): boolean {
  const floating = '[role="dialog"], [role="menu"], [role="listbox"], aside, [data-portal]'
  return node instanceof Element && node.matches(floating)
}

/** What took its place comes first, then what is behind it, then what is before it. */
function nearest({ parent, previous }: Place<Node>, kind?: string): HTMLElement | undefined {
  if (!(parent instanceof HTMLElement) || parent === document.body) return undefined
  if (parent.localName === 'main') return parent
  const behind = previous === null ? parent.firstChild : previous.nextSibling
  for (let node = behind; node !== null; node = node.nextSibling) {
    const found = firstUsable(node, kind)
    if (found !== undefined) return found
  }
  for (let node = previous; node !== null; node = node.previousSibling) {
    const found = firstUsable(node, kind)
    if (found !== undefined) return found
  }
  if (isUsable(parent) && parent.matches('[tabindex]')) return parent
  return nearest({ parent: parent.parentNode!, previous: parent.previousSibling }, kind)
}
