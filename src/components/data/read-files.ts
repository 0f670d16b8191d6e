import { asFile, type JsonValue, type Step, StepError, type Turns, WorkMeter } from '../../plugin-api.ts'

/** What was read of files, by their ids. */
export type FilesRead<R> = ReadonlyMap<string, R>

/** Thrown where a file is needed that was not read yet. */
class FileUnread extends Error {
  override readonly name = 'FileUnread'
}

/** Of a file what was read of it; undefined of any other value. Throws where it has to be read first. */
export function readOf<R>(value: JsonValue | undefined, read: FilesRead<R>): R | undefined {
  const file = asFile(value)
  if (file === undefined) return undefined
  const found = read.get(file.file)
  if (found === undefined) throw new FileUnread()
  return found
}

/**
 * Computes at once where no file is needed, as nearly always; else once more when all of them are read. So data without files is not
 * looked through for them, and waits for nothing.
 */
export function withFiles<T, R>(
  compute: (read: FilesRead<R>) => T | Promise<T>,
  readAll: () => Promise<FilesRead<R>>
): T | Promise<T> {
  const again = async (error: unknown): Promise<T> => {
    if (!(error instanceof FileUnread)) throw error
    return compute(await readAll())
  }
  try {
    const made = compute(new Map())
    return made instanceof Promise ? made.catch(again) : made
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error
    return again(error)
  }
}

/** The ids of files among values. */
export function* fileIdsAmong(values: Iterable<JsonValue | undefined>): Turns<Set<string>> {
  const ids = new Set<string>()
  const meter = new WorkMeter()
  for (const value of values) {
    const file = asFile(value)
    if (file !== undefined) ids.add(file.file)
    if (meter.isTurnOver(WORK_PER_VALUE)) yield
  }
  return ids
}

const WORK_PER_VALUE = 80

/** What is read to be converted stands in memory: all files together have so many bytes. */
const MOST_READ = 25 * 1024 ** 2

export async function readEach(
  ids: Iterable<string>,
  files: Step['files']
): Promise<FilesRead<{ readonly bytes: Uint8Array; readonly text: () => string }>> {
  const read = new Map<string, { bytes: Uint8Array; text: () => string }>()
  let left = MOST_READ
  for (const id of ids) {
    const file = await files.open(id)
    const bytes = await file.bytes(left)
    left -= bytes.byteLength
    const { filename, content_type } = file.value
    read.set(id, { bytes, text: () => textOfFile(bytes, filename, content_type) })
  }
  return read
}

/**
 * By what is said of it, else by its mark, else as UTF-8; and what is named a text and is none of these, as Windows writes in the West, which
 * is how Excel saves CSV. Throws a StepError where it is not text.
 */
export function textOfFile(bytes: Uint8Array, filename: string, contentType: string): string {
  const said = /;\s*charset="?([\w.:-]+)"?/i.exec(contentType)?.[1]
  const charsets = said === undefined ? [markedAs(bytes) ?? 'utf-8'] : [said]
  if (said === undefined && isNamedText(filename, contentType)) charsets.push('windows-1252')
  for (const charset of charsets) {
    const text = decoded(bytes, charset)
    if (text !== undefined) return text
  }
  throw new StepError(
    `The file ${JSON.stringify(filename)} (${contentType}) is not text in ${charsets[0]}. Only text can be converted so.`,
    { code: 'not_a_text', retryable: false }
  )
}

function markedAs([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Browsers of Windows call a CSV a sheet of Excel. */
function isNamedText(filename: string, contentType: string): boolean {
  return /^text\//i.test(contentType) || /\.(?:csv|tsv|txt)$/i.test(filename)
}

function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes)
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}
