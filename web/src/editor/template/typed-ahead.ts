/** What a key does that is pressed in a field whose editor is still on its way. */
export type AheadStep =
  | { readonly kind: 'write'; readonly text: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'select all' }

interface KeyPressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** Undefined for a key that changes nothing. */
export function aheadStep({ key, ctrlKey, metaKey, altKey }: KeyPressed): AheadStep | undefined {
  const isMod = ctrlKey !== metaKey
  if (isMod && !altKey && key.toLowerCase() === 'a') return { kind: 'select all' }
  // AltGr, which writes signs on many keyboards, is told as Ctrl and Alt.
  if (metaKey || ctrlKey !== altKey) return undefined
  if (key === 'Backspace') return { kind: 'delete' }
  if (key === 'Enter') return { kind: 'write', text: '\n' }
  return [...key].length === 1 ? { kind: 'write', text: key } : undefined
}
