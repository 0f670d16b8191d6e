import { isPlainObject, type JsonValue, writeJson } from '../../../../src/flows/json/exact-json.ts'

/** Something that can be written at the cursor. */
export interface CodeOption {
  readonly label: string
  readonly detail: string
  /** What is written, where it is not the label. */
  readonly insert?: string
  /** What is written takes the dot before it along: `["first name"]`. */
  readonly takesDot?: boolean
}

export interface CodeCompletion {
  /** Where the word begins that is completed. */
  readonly from: number
  readonly options: readonly CodeOption[]
}

/** Items that are looked at: a list holds more of the same. */
const ITEMS = 50
const MOST = 200
const LONGEST_GLANCE = 28

/** The keys of a value, or of the items of a list of such, with what each holds. */
export function membersOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
  const found = new Map<string, JsonValue>()
  for (const each of Array.isArray(value) ? value.slice(0, ITEMS) : [value]) {
    if (!isPlainObject(each)) continue
    for (const [key, member] of Object.entries(each)) {
      if (found.size >= MOST) return found
      if (!found.has(key)) found.set(key, member as JsonValue)
    }
  }
  return found
}

/** One that stands for all items of a list: it has the keys of all of them. */
export function itemOf(list: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(list)) return undefined
  const members = membersOf(list)
  return members.size > 0 ? Object.fromEntries(members) : list[0]
}

/** What a value is, at a glance. */
export function glance(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.length === 1 ? 'list of 1' : `list of ${value.length}`
  if (isPlainObject(value)) return 'object'
  if (value === undefined) return ''
  const text = writeJson(value)
  return text.length > LONGEST_GLANCE ? `${text.slice(0, LONGEST_GLANCE)}…` : text
}
