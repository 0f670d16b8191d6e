/** A value that begins with `=` is text with expressions between `{{` and `}}`. */
type TextPiece = { readonly kind: 'text' | 'expression'; readonly text: string }

export function isWritten(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('=')
}

export function piecesOf(value: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 1
  for (;;) {
    const open = value.indexOf('{{', from)
    const close = open < 0 ? -1 : closeOf(value, open + 2)
    if (close < 0) break
    if (open > from) pieces.push({ kind: 'text', text: value.slice(from, open) })
    pieces.push({ kind: 'expression', text: value.slice(open + 2, close).trim() })
    from = close + 2
  }
  if (from < value.length) pieces.push({ kind: 'text', text: value.slice(from) })
  return pieces
}

/** The first `}}`; where objects stand in objects, the last of those in a row. */
function closeOf(value: string, from: number): number {
  const close = value.indexOf('}}', from)
  if (close < 0) return -1
  let end = close
  let depth = 0
  for (let at = from; at < close; at++) {
    if (value[at] === '{') depth++
    else if (value[at] === '}') depth--
  }
  for (; depth > 0 && value[end + 2] === '}'; depth--) end++
  return end
}
