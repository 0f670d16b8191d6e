import { asFile, type FileValue } from '../../../src/flows/file-value.ts'
import { isPlainObject, type JsonValue, jsonIn } from '../../../src/flows/json/exact-json.ts'

/** So many are shown beside a text; a tree shows each in its place. */
const MOST_FILES = 10
/** What is looked at for them: a payload may have a million members. */
const MOST_VALUES = 10_000

/** The files in a value, each once, in their order. */
export function filesIn(value: JsonValue): FileValue[] {
  const found = new Map<string, FileValue>()
  const left: JsonValue[] = [value]
  for (let looked = 0; left.length > 0 && looked < MOST_VALUES && found.size < MOST_FILES; looked++) {
    const next = left.pop()!
    const file = asFile(next)
    if (file !== undefined) found.set(file.file, file)
    else if (Array.isArray(next)) left.push(...next.slice(0, MOST_VALUES).reverse())
    else if (isPlainObject(next))
      left.push(...(Object.values(next) as JsonValue[]).slice(0, MOST_VALUES).reverse())
  }
  return [...found.values()]
}

const MOST_CHARACTERS = 200_000

/** The same of a text that is JSON. */
export function filesInText(text: string): FileValue[] {
  if (text.length > MOST_CHARACTERS || !text.includes('"file_')) return []
  const value = jsonIn(text)
  return value === undefined ? [] : filesIn(value)
}

/** The text is a file, or a list of files, and nothing else. */
export function isOfFiles(text: string): boolean {
  if (filesInText(text).length === 0) return false
  const value = jsonIn(text)
  const members = Array.isArray(value) ? value : [value]
  return members.length <= MOST_FILES && members.every((member) => asFile(member) !== undefined)
}
