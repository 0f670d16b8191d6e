import type { Field } from '../../../../src/flows/template/parse-field.ts'
import { scanTemplate } from '../../../../src/flows/template/scan-template.ts'

export type TokenKind =
  | 'text'
  /** `{{` or `}}`. */
  | 'escaped brace'
  /** The `{` and `}` of a placeholder. */
  | 'brace'
  | 'variable'
  /** `$name`, looked for in the context first. */
  | 'context variable'
  /** `:.2f`, with its colon. */
  | 'format'
  /** `?none`, with its question mark. */
  | 'fallback'
  | 'error'

/** A stretch of a template; `to` is the offset after it. */
interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
}

interface TemplateProblem {
  readonly from: number
  readonly to: number
  /** From 1, in characters. */
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A template for colouring, without a gap. Space inside a placeholder is text. */
export function templateTokens(source: string): Token[] {
  const tokens: Token[] = []
  for (const piece of scanTemplate(source)) {
    const { from, to } = piece
    if (piece.kind === 'text') tokens.push({ kind: 'text', from, to })
    else if (piece.kind === 'brace') tokens.push({ kind: 'escaped brace', from, to })
    else if (piece.kind === 'fault') tokens.push({ kind: 'error', from, to })
    else tokens.push(...fieldTokens(source, piece.field, to))
  }
  return tokens
}

/** What keeps a template from being used, each with the place to underline: never more than the rest of a line. */
export function templateProblems(source: string): TemplateProblem[] {
  return [...scanTemplate(source)].flatMap((piece) => {
    if (piece.kind !== 'fault') return []
    const { line, column, message } = piece.error
    const from = offsetAt(source, line, column)
    const endOfLine = source.indexOf('\n', from)
    const to = Math.min(piece.to, endOfLine < 0 ? source.length : endOfLine)
    return [{ from, to: Math.max(to, from + 1), line, column, message }]
  })
}

/** Where the path of a placeholder is written. */
export function pathRange(source: string, field: Field): { readonly from: number; readonly to: number } {
  // Between the brace and the path there is nothing but space.
  const from = source.indexOf(field.text, field.offset + 1)
  return { from, to: from + field.text.length }
}

/** The offset of a line and a column as errors count them: from 1, an emoji being one column. */
export function offsetAt(source: string, line: number, column: number): number {
  let start = 0
  for (let passed = 1; passed < line; passed++) start = source.indexOf('\n', start) + 1
  const before = Array.from(source.slice(start)).slice(0, column - 1)
  return start + before.join('').length
}

function fieldTokens(source: string, field: Field, end: number): Token[] {
  const path = pathRange(source, field)
  const close = end - 1
  const { format, fallback } = tailRanges(source, field, path.to, close)
  const marks: Token[] = [
    { kind: 'brace', from: field.offset, to: field.offset + 1 },
    { kind: field.contextName === undefined ? 'variable' : 'context variable', ...path },
    ...[format, fallback].filter((token) => token !== undefined).sort((one, other) => one.from - other.from),
    { kind: 'brace', from: close, to: end }
  ]
  return withText(marks)
}

/** `:spec`, `?fallback`, `:spec?fallback` or `?:spec`; space may stand before each part. */
function tailRanges(source: string, field: Field, from: number, close: number) {
  const tail = source.slice(from, close)
  const mark = from + tail.search(/[:?]/)
  if (mark < from) return {}
  const { spec, fallback } = field
  const isLateSpec = source[mark] === '?' && spec !== undefined
  const colon = isLateSpec ? mark + 1 : mark
  const hasColon = source[colon] === ':' && (source[mark] === ':' || isLateSpec)
  const format: Token | undefined = hasColon
    ? { kind: 'format', from: colon, to: colon + 1 + (spec?.text.length ?? 0) }
    : undefined
  if (fallback === undefined) return { format }
  const asks = isLateSpec ? mark : close - fallback.length - 1
  return { format, fallback: { kind: 'fallback', from: asks, to: isLateSpec ? mark + 1 : close } as Token }
}

function withText(marks: readonly Token[]): Token[] {
  return marks.flatMap((mark, index) => {
    const before = index === 0 ? mark.from : marks[index - 1]!.to
    return before < mark.from ? [{ kind: 'text' as const, from: before, to: mark.from }, mark] : [mark]
  })
}
