import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'

/** Rows that are looked at: a list holds more of the same. */
const ROWS = 50
const DEEPEST = 3
const MOST = 200

/** The keys, and paths to keys inside, that items of the data have; `within` is the path of the list. */
export function knownPaths(data: JsonValue | undefined, within = ''): string[] {
  const list = within === '' ? rowsIn(data) : within.split('.').reduce(memberOf, data)
  const rows = Array.isArray(list) ? list.slice(0, ROWS) : [list]
  const found = new Set<string>()
  for (const row of rows) collect(row, '', 1, found)
  return [...found]
}

function rowsIn(data: JsonValue | undefined): JsonValue | undefined {
  return isPlainObject(data) && Array.isArray(data.rows) ? data.rows : data
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function collect(value: JsonValue | undefined, before: string, depth: number, found: Set<string>): void {
  if (!isPlainObject(value) || depth > DEEPEST) return
  for (const [key, member] of Object.entries(value)) {
    if (found.size >= MOST) return
    const path = before === '' ? written(key) : `${before}${needsBrackets(key) ? '' : '.'}${written(key)}`
    found.add(path)
    collect(member, path, depth + 1, found)
  }
}

function written(key: string): string {
  return needsBrackets(key) ? `[${key}]` : key
}

/** Characters that mean something in a path. */
function needsBrackets(key: string): boolean {
  return key === '' || /[.[\]{}:?]/.test(key) || key !== key.trim()
}
