import { isPlainObject, type JsonValue, jsonIn } from '../../../../src/flows/json/exact-json.ts'

/** One member of an object, as a row shows it. */
export interface KeyValue {
  readonly key: string
  readonly value: JsonValue
}

/** The members of an object in their order; undefined where it is none. Where names repeat, a list of texts is as many rows. */
export function keyValues(value: JsonValue, repeats: boolean): KeyValue[] | undefined {
  if (value === null || value === '') return []
  if (!isPlainObject(value)) return undefined
  return Object.entries(value).flatMap(([key, member]) =>
    repeats && isListOfTexts(member) ? member.map((text) => ({ key, value: text })) : [{ key, value: member }]
  )
}

function isListOfTexts(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string')
}

/** The object of the rows, without those that have no name yet; null where there is none. The last of a name wins, or joins the others. */
export function objectOf(rows: readonly KeyValue[], repeats: boolean): JsonValue {
  const members = new Map<string, JsonValue>()
  for (const { key, value } of rows) {
    if (key === '') continue
    const before = members.get(key)
    members.set(
      key,
      repeats && before !== undefined ? [...(Array.isArray(before) ? before : [before]), value] : value
    )
  }
  return members.size === 0 ? null : Object.fromEntries(members)
}

/**
 * What was typed into a row. A number stays one, as does a list or an object; a text stays a text: `{}` may be the
 * beginning of a template.
 */
export function typedValue(before: JsonValue, typed: string): JsonValue {
  if (typeof before === 'string') return typed
  const value = jsonIn(typed)
  return value === undefined ? typed : value
}

/** What was pasted takes the place of a row that is empty, else it follows; a name that is there gets the new value. */
export function withPasted(
  rows: readonly KeyValue[],
  at: number,
  pasted: readonly KeyValue[],
  repeats: boolean
): readonly KeyValue[] {
  const isEmpty = rows[at] !== undefined && rows[at].key === '' && rows[at].value === ''
  const named = new Set(pasted.map(({ key }) => key))
  const others = (part: readonly KeyValue[]) => (repeats ? part : part.filter(({ key }) => !named.has(key)))
  return [...others(rows.slice(0, isEmpty ? at : at + 1)), ...pasted, ...others(rows.slice(at + 1))]
}
