/** New ids by their old ones. */
type NewIds = ReadonlyMap<string, string>

/**
 * A node that is named in a template (`{$nodes.id.…}`, `{$resume.id}`, `{$approve.id}`), a condition or code (`nodes["id"]`, `nodes.id`,
 * `$nodes."id"`). What comes before tells how: `data.nodes.id` is a key of the data.
 */
const NAMED =
  /(?<![\w.$])(\{?\s{0,50})(\$?nodes|(?<=\{\s{0,50})\$(?:resume|approve))(\s{0,50}(?:\?\.)?\[\??\s{0,50}["'`]?|\s{0,50}\??\.\??\s{0,50}["'`]?)([A-Za-z0-9_-]{1,100})/g

const MAY_NAME = /nodes|\$resume|\$approve/
const PLAIN_NAME = /^[A-Za-z_]\w*$/

/** Fields whose references follow nodes to their new ids; the same object where none does. */
export function renameReferences<F extends Readonly<Record<string, unknown>>>(fields: F, ids: NewIds): F {
  return renamedIn(fields, (text) => renameInText(text, ids)) as F
}

/** The nodes that texts of these fields name, whether they are there or not. */
export function nodesNamed(fields: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return named(fields, () => true)
}

/** Those of them whose outputs are read: an address at which a node waits is none. */
export function nodesReadIn(fields: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  return named(fields, (word) => word.endsWith('nodes'))
}

function named(fields: Readonly<Record<string, unknown>>, isMeant: (word: string) => boolean): Set<string> {
  const found = new Set<string>()
  renamedIn(fields, (text) => {
    for (const [, , word, , id] of text.matchAll(NAMED)) if (isMeant(word!)) found.add(id!)
    return text
  })
  return found
}

function renamedIn(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === 'string') return MAY_NAME.test(value) ? rename(value) : value
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
