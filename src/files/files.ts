import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { MillraceError } from '../errors.ts'
import type { FileValue } from '../flows/file-value.ts'
import type { FileStore, NewFile } from '../store/files.ts'
import { ContentDigest, heldByDigests } from './content-digest.ts'
import type { ByteRange, FilePlace } from './file-place.ts'
import { MeasuredBytes } from './measured-bytes.ts'
import { NewNames } from './new-names.ts'

export type { NewFile } from '../store/files.ts'

interface FilesDeps {
  readonly place: FilePlace
  readonly store: Pick<FileStore, 'knownNames'>
  /** The most bytes that one file may have. */
  readonly limit: number
  /** What the store refuses it has not written. Over a network that is not known: the answer may have been lost. */
  readonly isRefusalFinal?: boolean
}

/** What is known of a file before its bytes have come. */
export interface AboutFile {
  readonly filename: string
  readonly contentType: string
  /** The path of the context that it comes in by. */
  readonly context: string
  /** The id of the key, where it is for a run to come. */
  readonly uploadedBy?: string
}

/** Files on their way into the store: first their bytes, durably, then their rows, with the run that names them. */
export class Files {
  readonly #deps: FilesDeps
  readonly #names = new NewNames()
  readonly #held = heldByDigests()

  constructor(deps: FilesDeps) {
    this.#deps = deps
  }

  get limit(): number {
    return this.#deps.limit
  }

  /**
   * Resolves when the bytes are durable. Nothing names them yet: they are to be handed to a run that starts, or to be let go.
   * Rejects with `file_too_large`, or as the bytes do, and nothing is left of them.
   */
  async keep(bytes: AsyncIterable<Uint8Array>, about: AboutFile): Promise<NewFile> {
    const { place, limit } = this.#deps
    const name = this.#names.next()
    const measuring = new MeasuredBytes(bytes, {
      limit,
      tooLarge: () => fileTooLarge(limit),
      digest: new ContentDigest(this.#held)
    })
    await place.write(name, measuring)
    const { digest, size } = await measuring.measured()
    return {
      id: `file_${randomBytes(16).toString('base64url')}`,
      digest,
      name,
      filename: plainFilename(about.filename),
      contentType: plainContentType(about.contentType),
      size,
      context: about.context,
      uploadedBy: about.uploadedBy ?? null
    }
  }

  /** Of a request that was refused. What cannot be removed now is found by the sweep. */
  async letGo(files: readonly NewFile[]): Promise<void> {
    await Promise.allSettled(files.map(({ name }) => this.#deps.place.remove(name)))
  }

  /** Rejects with FileMissing where the bytes are not there. */
  open(name: string, range?: ByteRange): Promise<Readable> {
    return this.#deps.place.read(name, range)
  }

  async *read(name: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const bytes = await this.open(name, range)
    try {
      yield* bytes
    } finally {
      bytes.destroy()
    }
  }

  /** To be called when their rows are there: bytes that were stored before, by another file, are not needed twice. */
  async stored(files: readonly NewFile[]): Promise<void> {
    if (files.length === 0) return
    try {
      const known = new Set(await this.#deps.store.knownNames(files.map(({ name }) => name)))
      await this.letGo(files.filter(({ name }) => !known.has(name)))
    } catch {
      // They are found by the sweep.
    }
  }

  /**
   * To be called when the store has refused their rows: senders come again, and what each of them leaves would fill the disk that the
   * store may have found full.
   */
  async refused(files: readonly NewFile[]): Promise<void> {
    if (this.#deps.isRefusalFinal === true) await this.stored(files)
  }
}

type Shown = Pick<NewFile, 'id' | 'filename' | 'contentType' | 'size'>

/** As payloads and outputs have it. */
export function fileValue({ id, filename, contentType, size }: Shown): FileValue {
  return { file: id, filename, content_type: contentType, size }
}

export function fileTooLarge(limit: number): MillraceError {
  return new MillraceError(
    'file_too_large',
    `A file may have ${limit} bytes, and this one has more. Send less, or set MILLRACE_FILE_LIMIT.`
  )
}

const LONGEST_NAME = 255
/** Control characters, and marks that turn the direction of what follows: `exe.pdf` shown, and something else meant. */
const HIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** The last part of a path, without what cannot be seen: nobody is led elsewhere by a name. */
export function plainFilename(name: string): string {
  const last = name.toWellFormed().replace(HIDDEN, '').split(/[/\\]/).at(-1)!.trim()
  const shown = last === '.' || last === '..' ? '' : last
  return shown.length <= LONGEST_NAME ? shown : withEnding(shown)
}

/** Shortened, with what tells its kind. */
function withEnding(name: string): string {
  const ending = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  return name.slice(0, LONGEST_NAME - ending.length).toWellFormed() + ending
}

const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;\s*[\w!#$&^.+-]{1,64}=(?:[\w!#$&^.+-]{1,64}|"[\w !#$&^.+:/-]{1,64}"))*$/

/** One that can stand in a header. */
export function plainContentType(type: string): string {
  const trimmed = type.trim()
  return trimmed.length <= 255 && MEDIA_TYPE.test(trimmed) ? trimmed : 'application/octet-stream'
}
