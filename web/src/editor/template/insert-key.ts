import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { scanTemplate } from '../../../../src/flows/template/scan-template.ts'
import { openPlaceholder } from './open-placeholder.ts'
import { pathText, type ValuePath } from './template-path.ts'
import { pathRange } from './template-tokens.ts'

type Insertion =
  | { readonly from: number; readonly to: number; readonly text: string; readonly message?: undefined }
  /** Why this key cannot be used in a template, and what to do. */
  | { readonly message: string }

/** The path of a key in the payload, as a template writes it: `{…}` without the braces. */
export function templatePathOf(
  path: ValuePath,
  payload: JsonValue
): { readonly text: string } | { readonly message: string } {
  if (!Array.isArray(payload) && !isPlainObject(payload)) {
    return { message: 'The payload has no keys. Choose the mode Stringify to print it as it is.' }
  }
  // A list is templated item by item, so the way begins in the item.
  const inside = Array.isArray(payload) ? path.slice(1) : path
  if (inside.length === 0) {
    return {
      message: 'A template is filled with the values of keys. Drag a key, not the whole payload or item.'
    }
  }
  const text = pathText(inside)
  if (text !== undefined) return { text }
  const key = JSON.stringify(inside.find((part) => pathText([part]) === undefined) ?? '')
  return {
    message: `A template has no way to write the key ${key}. Choose the mode Stringify, or rename it at the sender.`
  }
}

/** What dropping a key of the payload at an offset does: a new placeholder, or another path for the one that is there. */
export function insertKey(source: string, at: number, path: ValuePath, payload: JsonValue): Insertion {
  const found = templatePathOf(path, payload)
  if ('message' in found) return found
  const text = `{${found.text}}`
  const piece = [...scanTemplate(source)].find(({ from, to }) => from < at && at < to)
  if (piece?.kind === 'field') return { ...pathRange(source, piece.field), text: found.text }
  // Between the two of {{ the first one would lose its meaning.
  if (piece?.kind === 'brace') return { from: piece.to, to: piece.to, text }
  return { from: openPlaceholder(source, at)?.open ?? at, to: at, text }
}
