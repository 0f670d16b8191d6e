/**
 * A shortcut as it is written in code: `mod+k`, `shift+?`, or two keys after each other, `g f`. `mod` is ⌘ on a Mac and
 * Ctrl elsewhere.
 */
export interface Pressed {
  readonly key: string
  /** Which key it is, whatever it writes: `KeyA`. */
  readonly code?: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** Whether one press is one part of a shortcut. Shift counts only with letters: `?` needs it on some keyboards. */
export function matchesPart(pressed: Pressed, part: string, isMac: boolean): boolean {
  const wanted = part.toLowerCase().split('+')
  const key = wanted.at(-1)!
  const has = (name: string) => wanted.length > 1 && wanted.slice(0, -1).includes(name)
  const mod = isMac ? pressed.metaKey : pressed.ctrlKey
  const other = isMac ? pressed.ctrlKey : pressed.metaKey
  if (mod !== has('mod') || other || pressed.altKey !== has('alt')) return false
  const isLetter = /^[a-z]$/.test(key)
  if ((isLetter || key.length > 1) && pressed.shiftKey !== has('shift')) return false
  // With Alt, a letter writes a sign of its own on a Mac.
  if (isLetter && has('alt') && pressed.code !== undefined) return pressed.code === `Key${key.toUpperCase()}`
  return pressed.key.toLowerCase() === (key === 'space' ? ' ' : key)
}

/** Where a key is pressed: in a field, at something else beside the canvas (a button of the inspector), or on the page itself. */
export type KeyPlace = 'field' | 'part' | 'page'

/**
 * Whether a shortcut is listened to there. What is typed at a field is text, and so is a bare key at a button beside one: who
 * has pressed _Add case_ types the case.
 */
export function isHeard(keys: string, place: KeyPlace, worksInFields = false): boolean {
  if (place === 'page' || worksInFields) return true
  return place === 'part' && keys.split(' ').every((part) => /^(mod|alt)\+/.test(part))
}

const SYMBOLS: Readonly<Record<string, readonly [mac: string, other: string]>> = {
  mod: ['⌘', 'Ctrl'],
  shift: ['⇧', 'Shift'],
  alt: ['⌥', 'Alt'],
  enter: ['↵', 'Enter'],
  backspace: ['⌫', 'Backspace'],
  delete: ['⌦', 'Del'],
  escape: ['Esc', 'Esc'],
  space: ['Space', 'Space'],
  arrowup: ['↑', '↑'],
  arrowdown: ['↓', '↓'],
  arrowleft: ['←', '←'],
  arrowright: ['→', '→'],
  arrows: ['← ↑ ↓ →', '← ↑ ↓ →']
}

/** The keys of a shortcut as they are printed on keyboards, one list per press. */
export function keyCaps(shortcut: string, isMac: boolean): string[][] {
  return shortcut.split(' ').map((part) =>
    part.split('+').map((key) => {
      const symbol = SYMBOLS[key.toLowerCase()]?.[isMac ? 0 : 1]
      return symbol ?? (key.length === 1 ? key.toUpperCase() : key)
    })
  )
}
