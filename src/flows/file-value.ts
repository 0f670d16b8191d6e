import { isPlainObject, type JsonValue } from './json/exact-json.ts'

/** A file as it is in a payload, an output or a field. To know its id opens nothing: who may read it is asked anew each time. */
export interface FileValue {
  readonly file: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
}

/** `file_` and 128 bits of chance. */
export const FILE_ID = /^file_[A-Za-z0-9_-]{22}$/

/** The value as a file, where it looks like one. Whether there is such a file, and who may open it, is for others to say. */
export function asFile(value: JsonValue | undefined): FileValue | undefined {
  if (!isPlainObject(value)) return undefined
  const { file, filename, content_type, size } = value as Readonly<Record<string, JsonValue>>
  if (typeof file !== 'string' || !FILE_ID.test(file)) return undefined
  return {
    file,
    filename: typeof filename === 'string' ? filename : '',
    content_type: typeof content_type === 'string' ? content_type : 'application/octet-stream',
    size: Number(size ?? 0)
  }
}
