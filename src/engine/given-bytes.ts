import { asFile, type FileValue } from '../flows/file-value.ts'
import { isPlainObject, type JsonValue } from '../flows/json/exact-json.ts'
import type { StepFiles } from '../flows/step/step-files.ts'
import { megabytes } from './output-limit.ts'
import { StepError } from './step-error.ts'

/** Bytes as data gives them, a file or `{"base64"}`, with what they are called and said to be. */
export interface GivenBytes {
  /** Empty where nothing is said. */
  readonly filename: string
  readonly contentType: string
  readonly source: FileValue | { readonly base64: string }
}

/** Undefined where the value is neither. */
export function givenBytes(value: JsonValue | undefined): GivenBytes | undefined {
  const file = asFile(value)
  if (file !== undefined) return { filename: file.filename, contentType: file.content_type, source: file }
  if (!isPlainObject(value)) return undefined
  const { base64, filename, content_type } = value as Readonly<Record<string, JsonValue>>
  if (typeof base64 !== 'string') return undefined
  return {
    filename: typeof filename === 'string' ? filename : '',
    contentType: typeof content_type === 'string' ? content_type : 'application/octet-stream',
    source: { base64 }
  }
}

/**
 * All of them. Throws a StepError: `file_not_found` where the step may not open the file, `file_too_large` where there are more than
 * `most`, `invalid_base64`.
 */
export async function readBytes(
  { source }: GivenBytes,
  files: Pick<StepFiles, 'open'>,
  most: number
): Promise<Uint8Array> {
  if ('file' in source) return (await files.open(source.file)).bytes(most)
  if (source.base64.length * 0.74 > most) throw tooLarge(most)
  return decoded(source.base64)
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Also the alphabet of URLs, and broken into lines. */
function decoded(base64: string): Uint8Array {
  const packed = base64.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')
  if (BASE64.test(packed) && packed.replace(/=+$/, '').length % 4 !== 1) return bytesIn(atob(packed))
  throw new StepError('What stands under "base64" is not Base64. Look at what was sent.', {
    code: 'invalid_base64',
    retryable: false
  })
}

/** Not by a Buffer, which pages have not: they share the types of this file. */
function bytesIn(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

function tooLarge(most: number): StepError {
  return new StepError(`It is larger than ${megabytes(most)}, which is the most that can be taken here.`, {
    code: 'file_too_large',
    retryable: false
  })
}
