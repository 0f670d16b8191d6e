import type { FileValue } from '../../../src/flows/file-value.ts'

export type FileKind = 'picture' | 'pdf' | 'table' | 'text' | 'other'

/** What browsers draw as a picture and run nothing of. */
const PICTURES = /^image\/(?:png|apng|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)$/
const TABLES = /^(?:text|application)\/(?:x-)?(?:csv|tab-separated-values)$/
const TABLE_NAMES = /\.(?:csv|tsv)$/i
/** Senders that do not know CSV say one of these. */
const TYPES_OF_NAMED_TABLES = /^(?:text\/plain|application\/(?:octet-stream|vnd\.ms-excel))$/
const TEXTS =
  /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|yaml|x-yaml|toml|sql|javascript|x-ndjson|jsonl|graphql|x-sh|x-www-form-urlencoded))$/

/** How a file is shown, by what is said of it; whether its bytes are that is seen when they are there. */
export function kindOf({ content_type, filename }: FileValue): FileKind {
  const type = plainType(content_type)
  if (PICTURES.test(type)) return 'picture'
  if (type === 'application/pdf') return 'pdf'
  if (TABLES.test(type) || (TYPES_OF_NAMED_TABLES.test(type) && TABLE_NAMES.test(filename))) return 'table'
  return TEXTS.test(type) ? 'text' : 'other'
}

/** Without parameters such as `; charset=utf-8`. */
export function plainType(contentType: string): string {
  return contentType.split(';')[0]!.trim().toLowerCase()
}
