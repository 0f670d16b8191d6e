import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { type Readable, Writable } from 'node:stream'
import type { Busboy, BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { MillraceError, messageOf } from '../../../errors.ts'
import { DelimiterCount } from './count-delimiters.ts'

/** A file as its part announces it. */
export interface SentFile {
  readonly filename: string
  readonly contentType: string
}

interface MultipartReading<File> {
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
  readonly limits: MultipartLimits
  /** Stores the bytes. It is called for one file after the other, and rejects where the bytes do. */
  readonly store: (sent: SentFile, bytes: AsyncIterable<Uint8Array>) => Promise<File>
  /** Told how much of the body is in memory, all in all: what is not a file. */
  readonly holds?: (bytes: number) => void
}

interface MultipartLimits {
  /** Of the whole body. */
  readonly bytes: number
  /** Of all values that are not files, together. */
  readonly fieldBytes: number
}

type Pair<File> = readonly [name: string, value: string | File]

/** As many as a form may well have; each costs time of its own, and a megabyte has room for 12,000. */
const MOST_PARTS = 1_000
const LONGEST_NAME = 1_000

/**
 * The names and values of a `multipart/form-data` body, in their order. Files are stored as they come and are never in memory whole.
 * The parser drops what it cannot read, and goes on past its limits; here all of that refuses the body. Where this rejects,
 * files may have been stored: whoever stores them lets go of them.
 */
export function readMultipart<File>(reading: MultipartReading<File>): Promise<Pair<File>[]> {
  return new Promise((resolve, reject) => {
    new MultipartReader(reading, resolve, reject).begin()
  })
}

class MultipartReader<File> {
  readonly #reading: MultipartReading<File>
  readonly #parser: BusboyInstance
  readonly #delimiters: DelimiterCount
  readonly #resolve: (pairs: Pair<File>[]) => void
  readonly #reject: (error: Error) => void
  readonly #pairs: Pair<File>[] = []
  /** Settles when the file that came last is stored, or cannot be: the one after it begins then. */
  #stored: Promise<void> | undefined
  /** The same of the one before it, which has come whole. */
  #storedBefore: Promise<void> | undefined
  /** A part of the body has passed the parser when the files in it are stored, but for the last: those that wait are in memory. */
  readonly #sink = new Writable({
    write: (part, _encoding, done) => {
      if (this.#hasEnded) return done()
      // What is wrong with it the parser tells by itself.
      this.#parser.write(part, () => {
        if (this.#storedBefore === undefined) done()
        else this.#storedBefore.then(() => done())
      })
    },
    final: (done) => {
      this.#parser.end()
      done()
      // Of a part whose headers have no end the parser waits for ever. All others it has told by the next turn, but for files that are still read.
      setImmediate(() => this.#end())
    }
  })
  #openFile: BusboyFileStream | undefined
  #bytes = 0
  #heldBytes = 0
  #fieldBytes = 0
  #parts = 0
  #hasEnded = false

  constructor(
    reading: MultipartReading<File>,
    resolve: (pairs: Pair<File>[]) => void,
    reject: (error: Error) => void
  ) {
    this.#reading = reading
    this.#parser = parserFor(reading)
    this.#delimiters = new DelimiterCount(boundaryOf(reading.headers))
    this.#resolve = resolve
    this.#reject = reject
  }

  begin(): void {
    this.#parser
      .on('field', (name, value, _isCutName, isCut) => this.#field(name, value, isCut))
      .on('file', (name, bytes, filename, _encoding, contentType) =>
        this.#file(name, bytes, { filename: filename ?? '', contentType })
      )
      .on('partsLimit', () => this.#refuse(tooManyParts()))
      .on('error', (error) => this.#refuse(broken(messageOf(error))))
      .on('finish', () => this.#end())
    this.#reading.body
      // Before it goes to the parser, which knows no limit of the whole.
      .on('data', (part: Buffer) => this.#count(part))
      .on('error', (error) => this.#refuse(error instanceof MillraceError ? error : broken(messageOf(error))))
      .on('close', () => this.#closed())
      .pipe(this.#sink)
  }

  #count(part: Buffer): void {
    if (this.#hasEnded) return
    const { limits } = this.#reading
    this.#bytes += part.length
    if (this.#bytes > limits.bytes) return this.#refuse(tooLarge(limits.bytes))
    if (this.#openFile === undefined) {
      this.#heldBytes += part.length
      this.#reading.holds?.(this.#heldBytes)
    }
    this.#delimiters.add(part)
    // The last one ends the body.
    if (this.#delimiters.count > MOST_PARTS + 1) this.#refuse(tooManyParts())
    if (this.#delimiters.hasLongHeaders) this.#refuse(longHeaders())
  }

  #field(name: unknown, value: string, isCut: boolean): void {
    const { fieldBytes } = this.#reading.limits
    this.#parts += 1
    this.#fieldBytes += Buffer.byteLength(value)
    if (isCut || this.#fieldBytes > fieldBytes) this.#refuse(tooLarge(fieldBytes))
    else if (isName(name)) this.#pairs.push([name, value])
    else this.#refuse(nameless())
  }

  #file(name: unknown, bytes: BusboyFileStream, sent: SentFile): void {
    this.#parts += 1
    if (!isName(name)) return this.#refuse(nameless())
    const at = this.#pairs.push([name, '']) - 1
    this.#openFile = bytes
    // Whoever stores it may not read it yet when the body is refused: an error that nobody hears would end the process.
    bytes.on('error', () => {})
    bytes.on('end', () => {
      if (this.#openFile === bytes) this.#openFile = undefined
    })
    const store = () => (this.#hasEnded ? '' : storeFile(bytes, sent, this.#reading.store))
    this.#storedBefore = this.#stored
    // A thousand small ones have room in one body: all at once they would hold up whatever else waits for the disk.
    const storing = this.#stored === undefined ? store() : this.#stored.then(store)
    this.#stored = Promise.resolve(storing).then(
      (file) => {
        this.#pairs[at] = [name, file]
      },
      (error: Error) => this.#refuse(error)
    )
  }

  async #end(): Promise<void> {
    await this.#stored
    if (this.#hasEnded) return
    if (this.#parts !== this.#delimiters.count - 1) return this.#refuse(unreadablePart())
    this.#hasEnded = true
    this.#resolve(this.#pairs)
  }

  #closed(): void {
    if (!this.#reading.body.readableEnded) this.#refuse(broken('The connection was closed before its end.'))
  }

  #refuse(error: Error): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#reading.body.unpipe(this.#sink)
    this.#parser.removeAllListeners().on('error', () => {})
    // Whoever stores it learns that no more will come.
    this.#openFile?.destroy(error)
    Promise.resolve(this.#stored).then(() => this.#reject(error))
  }
}

/** A file that was not chosen comes without name and bytes: it is an empty text. */
async function storeFile<File>(
  bytes: BusboyFileStream,
  sent: SentFile,
  store: MultipartReading<File>['store']
): Promise<File | ''> {
  if (sent.filename !== '') return store(sent, bytes)
  const parts = bytes[Symbol.asyncIterator]()
  const first = await parts.next()
  if (first.done === true) return ''
  return store(sent, withFirst(first.value, { [Symbol.asyncIterator]: () => parts }))
}

async function* withFirst(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}

/** Loaded with the first form that comes in parts: 9 of the milliseconds that a start has, and 20 files. */
function loadParser(): typeof Busboy {
  return (createRequire(import.meta.url)('@fastify/busboy') as { readonly Busboy: typeof Busboy }).Busboy
}

function parserFor({ headers, limits }: MultipartReading<unknown>): BusboyInstance {
  const Parser = loadParser()
  const type = headers['content-type'] ?? ''
  try {
    return new Parser({
      headers: { ...headers, 'content-type': type },
      limits: {
        fieldSize: limits.fieldBytes,
        fileSize: limits.bytes,
        parts: MOST_PARTS,
        // Longer ones are refused before.
        headerPairs: 20_000,
        headerSize: 40_000
      },
      // By its name alone: bytes without a file name are a value of their own.
      isPartAFile: (_name, contentType, filename) =>
        filename !== undefined || contentType === 'application/octet-stream'
    })
  } catch (error) {
    throw broken(messageOf(error))
  }
}

/** As the parser has read it. */
function boundaryOf(headers: IncomingHttpHeaders): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(headers['content-type'] ?? '') ?? []
  return quoted ?? plain ?? ''
}

/** One without a name comes as undefined. */
function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME
}

function broken(why: string): MillraceError {
  return new MillraceError(
    'form_invalid',
    `The body is not a whole form of multipart/form-data. ${why.replace(/\.?$/, '.')} Send it again.`
  )
}

function unreadablePart(): MillraceError {
  return broken('A part of it has headers that cannot be read.')
}

function nameless(): MillraceError {
  return broken(`A part of it has no name, or one of more than ${LONGEST_NAME} characters.`)
}

function tooLarge(limit: number): MillraceError {
  return new MillraceError(
    'body_too_large',
    `The form is larger than ${limit} bytes. Send less. MILLRACE_FILE_LIMIT sets how large a body with files may be, MILLRACE_BODY_LIMIT what is not a file.`
  )
}

function longHeaders(): MillraceError {
  return new MillraceError(
    'body_too_large',
    'The form has a part with more than 16 kB of headers. Send less.'
  )
}

function tooManyParts(): MillraceError {
  return new MillraceError('body_too_large', `The form has more than ${MOST_PARTS} parts. Send fewer.`)
}
