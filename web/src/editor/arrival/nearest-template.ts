import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'

/** A payload and one of these keys in common may be chance. */
const LEAST = 2

interface Sampled {
  readonly sample: JsonValue
}

/** The template whose sample has the most keys in common with what came, as a share of all that both have; undefined where none is near. */
export function nearestTemplate<T extends Sampled>(
  templates: readonly T[],
  payload: JsonValue
): T | undefined {
  const came = namesIn(payload)
  let nearest: { readonly template: T; readonly share: number } | undefined
  for (const template of templates) {
    const names = namesIn(template.sample)
    const common = [...names].filter((name) => came.has(name)).length
    const share = common / Math.max(names.size + came.size - common, 1)
    if (common >= LEAST && share > (nearest?.share ?? 0.3)) nearest = { template, share }
  }
  return nearest?.template
}

/** The names of the keys of it, and of what is one deeper. */
function namesIn(value: JsonValue): Set<string> {
  const names = new Set<string>()
  const outer = Array.isArray(value) ? value[0] : value
  if (!isPlainObject(outer)) return names
  for (const [key, member] of Object.entries(outer)) {
    names.add(key.toLowerCase())
    const inner = Array.isArray(member) ? member[0] : member
    if (isPlainObject(inner)) for (const name of Object.keys(inner)) names.add(`${key}.${name}`.toLowerCase())
  }
  return names
}
