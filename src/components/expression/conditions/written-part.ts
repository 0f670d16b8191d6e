/** Where a bracket stands that is one: not in a text, and not in a comment. */
interface Bracket {
  readonly sign: '(' | ')'
  readonly at: number
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Comments, texts (raw ones, and those of three quotes), and brackets of CEL. */
const TOKEN =
  /\/\/[^\n\r]*|[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?''')|[rR](?:"[^"\n]*"|'[^'\n]*')|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[()]/g

export function bracketsIn(source: string): Bracket[] {
  return [...source.matchAll(TOKEN)].flatMap(({ 0: sign, index: at }) =>
    sign === '(' || sign === ')' ? [{ sign, at }] : []
  )
}

/**
 * A part of an expression as it is written. Its syntax keeps no brackets: `!(data.paid)` ends before the last one there, and
 * `(data.name).contains("x")` begins behind the first.
 */
export function writtenPart(source: string, { start, end }: Span, brackets: readonly Bracket[]): string {
  let open = 0
  let unopened = 0
  for (const { sign, at } of brackets) {
    if (at < start || at >= end) continue
    if (sign === '(') open += 1
    else if (open > 0) open -= 1
    else unopened += 1
  }
  const from = unopened === 0 ? undefined : before(start, brackets).at(-unopened)
  const to = open === 0 ? undefined : behind(end, brackets)[open - 1]
  return source.slice(from?.at ?? start, to === undefined ? end : to.at + 1)
}

function before(start: number, brackets: readonly Bracket[]): Bracket[] {
  return brackets.filter(({ sign, at }) => sign === '(' && at < start)
}

function behind(end: number, brackets: readonly Bracket[]): Bracket[] {
  return brackets.filter(({ sign, at }) => sign === ')' && at >= end)
}
