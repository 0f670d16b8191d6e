import { type Field, parseField, syntaxError } from './parse-field.ts'
import { TemplateError } from './template-error.ts'

interface Span {
  /** Offsets into the template; `to` is the one after the last character. */
  readonly from: number
  readonly to: number
}

export type Piece =
  | (Span & { readonly kind: 'text' })
  /** `{{` or `}}`: one literal brace. */
  | (Span & { readonly kind: 'brace' })
  | (Span & { readonly kind: 'field'; readonly field: Field })
  /** Up to the next brace at which reading can go on. */
  | (Span & { readonly kind: 'fault'; readonly error: TemplateError })

/** A template piece by piece, without a gap. It goes on after a fault: an editor shows all of what is there. */
export function* scanTemplate(source: string): Generator<Piece> {
  const braces = /[{}]/g
  let at = 0
  while (braces.test(source)) {
    const brace = braces.lastIndex - 1
    if (brace > at) yield { kind: 'text', from: at, to: brace }
    const piece = pieceAt(source, brace)
    yield piece
    at = piece.to
    braces.lastIndex = at
  }
  if (at < source.length) yield { kind: 'text', from: at, to: source.length }
}

function pieceAt(source: string, from: number): Piece {
  const brace = source[from]
  if (source[from + 1] === brace) return { kind: 'brace', from, to: from + 2 }
  if (brace === '}') return { kind: 'fault', from, to: from + 1, error: loneBrace(source, from) }
  try {
    const { field, end } = parseField(source, from)
    return { kind: 'field', from, to: end, field }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { kind: 'fault', from, to: endOfFault(source, from), error }
  }
}

function endOfFault(source: string, open: number): number {
  const next = source.slice(open + 1).search(/[{}]/)
  if (next < 0) return source.length
  const brace = open + 1 + next
  return source[brace] === '}' ? brace + 1 : brace
}

function loneBrace(source: string, offset: number): TemplateError {
  return syntaxError(source, offset, 'This }', 'closes nothing. Write }} for a literal brace.')
}
