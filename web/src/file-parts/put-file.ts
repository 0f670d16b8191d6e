import type { FileValue } from '../../../src/flows/file-value.ts'
import { isPlainObject, type JsonValue, jsonIn, writeJson } from '../../../src/flows/json/exact-json.ts'

export interface Selection {
  readonly from: number
  readonly to: number
}

/**
 * The text of a payload with a file in it: in the place of what is selected, or at the caret, where that gives JSON; else as a
 * further key of an object or a further item of a list. A text that is no JSON gets it at the caret, and stays what it is.
 */
export function putFile(text: string, file: FileValue, { from, to }: Selection): string {
  const written = text.slice(0, from) + writeJson(file, 2) + text.slice(to)
  const inPlace = text.trim() === '' ? undefined : jsonIn(written)
  if (inPlace !== undefined) return writeJson(inPlace, 2)
  const whole = text.trim() === '' ? {} : jsonIn(text)
  const added = whole === undefined ? undefined : addTo(whole, file)
  return added === undefined ? written : writeJson(added, 2)
}

function addTo(value: JsonValue, file: FileValue): JsonValue | undefined {
  if (Array.isArray(value)) return [...value, { ...file }]
  if (!isPlainObject(value)) return undefined
  return { ...value, [freeKey(value, keyOf(file.filename))]: { ...file } }
}

/** A key that templates can name: `my_photo` for "My photo.png". */
function keyOf(filename: string): string {
  const stem = filename.replace(/\.[^.]*$/, '')
  const key = stem
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40)
  return /^\p{L}/u.test(key) ? key : 'file'
}

function freeKey(value: object, key: string): string {
  let free = key
  for (let count = 2; Object.hasOwn(value, free); count++) free = `${key}_${count}`
  return free
}
