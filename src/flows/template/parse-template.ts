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
import { type Field, parseField, syntaxError } from './parse-field.ts'

export interface ParsedTemplate {
  /** One more than there are fields: the text before, between and after them. */
  readonly literals: readonly string[]
  readonly fields: readonly Field[]
}

export function parseTemplate(source: string): ParsedTemplate {
  const braces = /[{}]/g
  const literals: string[] = []
  const fields: Field[] = []
  let literal = ''
  let at = 0
  for (let match = braces.exec(source); match !== null; match = braces.exec(source)) {
    const brace = match[0]
    literal += source.slice(at, match.index)
    at = match.index + 2
    if (source[match.index + 1] === brace) literal += brace
    else if (brace === '}') throw loneBrace(source, match.index)
    else {
      const { field, end } = parseField(source, match.index)
      literals.push(literal)
      fields.push(field)
      literal = ''
      at = end
    }
    braces.lastIndex = at
  }
  literals.push(literal + source.slice(at))
  return { literals, fields }
}

function loneBrace(source: string, offset: number) {
  return syntaxError(source, offset, 'This }', 'closes nothing. Write }} for a literal brace.')
}
