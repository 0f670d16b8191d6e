/**
 * The template language, for every component that fills text in:
 *
 *   {key}                    the value of a key; space around it inside the braces does not count
 *   {user.name} {user[name]} {items[0].sku} {items.0}
 *                            dots and brackets reach inside; what a bracket holds is taken literally up to
 *                            the ], so {[a.b:c]} and {user[first name]} reach any key
 *   {$name} {$name.part}     the context variable of that name or, without one, the data's own key "$name";
 *                            {[$name]} always means the data's key
 *   {total:.2f}              a Python format spec: [[fill]align][sign][#][0][width][,|_][.precision][type]
 *                            with the types s d b o x X e E f F g G %
 *   {key?} {key?fallback}    may be absent: prints nothing, or the fallback as it stands (colons, spaces and
 *                            question marks included; braces cannot stand in it)
 *   {total:.2f?n/a} {total?:.2f}
 *                            both; after ?: comes a spec if it is a valid one, otherwise the fallback ":..."
 *   {{ }}                    literal braces
 *
 * Absent is a missing key or index and a path through anything that is not an object or a list, null
 * included. A null that is there prints nothing. A `?` before < > = ^ right after the colon is a fill
 * character, if the rest is a valid spec. Everything is decided here, once: what render puts in is never
 * read as a template again.
 */
import { type Field, syntaxError } from './parse-field.ts'
import { scanTemplate } from './scan-template.ts'
import type { TemplateError } from './template-error.ts'

interface ParsedTemplate {
  /** One more than there are fields: the text before, between and after them. */
  readonly literals: readonly string[]
  readonly fields: readonly Field[]
}

/** Each takes some microseconds to read, and each of another name is an input: more would hold the thread for long. */
const MOST_PLACEHOLDERS = 10_000

/** Throws the first fault, a TemplateError. */
export function parseTemplate(source: string): ParsedTemplate {
  const literals: string[] = []
  const fields: Field[] = []
  let literal = ''
  for (const piece of scanTemplate(source)) {
    if (piece.kind === 'fault') throw piece.error
    if (piece.kind === 'field') {
      if (fields.length === MOST_PLACEHOLDERS) throw tooMany(source, piece.field.offset)
      literals.push(literal)
      fields.push(piece.field)
      literal = ''
    } else literal += source.slice(piece.from, piece.kind === 'brace' ? piece.from + 1 : piece.to)
  }
  literals.push(literal)
  return { literals, fields }
}

function tooMany(source: string, offset: number): TemplateError {
  const most = MOST_PLACEHOLDERS.toLocaleString('en')
  return syntaxError(
    source,
    offset,
    'The placeholder',
    `is one more than the ${most} that a template may have.`
  )
}
