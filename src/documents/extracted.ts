import type { JsonValue } from '../flows/json/exact-json.ts'

/** The text of a document, and what is in it. */
export interface Extracted {
  readonly text: string
  readonly data: { readonly [key: string]: JsonValue }
}
