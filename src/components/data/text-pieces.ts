import { TURN_WORK } from '../../plugin-api.ts'

/** A text in pieces, each of which is looked at in a turn. No character of two units is cut in two. */
export function* piecesOf(text: string): Generator<string, void, void> {
  for (let from = 0; from < text.length; ) {
    const end = endOfCharacter(text, from + TURN_WORK)
    yield from === 0 && end >= text.length ? text : text.slice(from, end)
    from = end
  }
}

function endOfCharacter(text: string, at: number): number {
  const isBetween = (text.codePointAt(at - 1) ?? 0) > 0xffff
  return isBetween ? at + 1 : at
}
