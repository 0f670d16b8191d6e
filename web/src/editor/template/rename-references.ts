/** New ids by their old ones. */
type NewIds = ReadonlyMap<string, string>

/**
 * A node that is named in a template (`{$nodes.id.…}`), a condition or code (`nodes["id"]`, `nodes.id`, `$nodes."id"`). What comes
 * before tells how: `data.nodes.id` is a key of the data.
 */
const NAMED =
  /(?<![\w.$])(\{?\s*)(\$?nodes)(\s*(?:\?\.)?\[\??\s*["'`]?|\s*\??\.\??\s*["'`]?)([A-Za-z0-9_-]{1,100})/g

const PLAIN_NAME = /^[A-Za-z_]\w*$/

/** Fields whose references follow nodes to their new ids; the same object where none does. */
export function renameReferences<F extends Readonly<Record<string, unknown>>>(fields: F, ids: NewIds): F {
  return renamedIn(fields, (text) => renameInText(text, ids)) as F
}

/** The nodes that texts of these fields name, whether they are there or not. */
export function nodesNamed(fields: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const named = new Set<string>()
  renamedIn(fields, (text) => {
    for (const found of text.matchAll(NAMED)) named.add(found[4]!)
    return text
  })
  return named
}

function renamedIn(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === 'string') return value.includes('nodes') ? rename(value) : value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const renamed = entries.map(([key, inner]) => [key, renamedIn(inner, rename)] as const)
  if (renamed.every(([, inner], at) => inner === entries[at]![1])) return value
  return Array.isArray(value) ? renamed.map(([, inner]) => inner) : Object.fromEntries(renamed)
}

function renameInText(text: string, ids: NewIds): string {
  return text.replace(NAMED, (whole, brace: string, word: string, joint: string, id: string) => {
    const next = ids.get(id)
    if (next === undefined || next === id) return whole
    return `${brace}${word}${jointBefore(next, { brace, word, joint })}`
  })
}

/** After a plain dot, code takes plain names alone. */
function jointBefore(
  next: string,
  { brace, word, joint }: { readonly brace: string; readonly word: string; readonly joint: string }
): string {
  const isTemplate = brace.startsWith('{') && word.startsWith('$')
  const isDot = /\.\??$/.test(joint.trimEnd())
  if (isTemplate || !isDot || PLAIN_NAME.test(next)) return joint + next
  if (word.startsWith('$')) return `${joint}"${next}"`
  return joint.includes('.?') ? `[?"${next}"]` : `["${next}"]`
}
