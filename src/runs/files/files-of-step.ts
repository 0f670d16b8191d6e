import type { LazyAbort } from '../../engine/lazy-abort.ts'
import { StepError } from '../../engine/step-error.ts'
import { MillraceError } from '../../errors.ts'
import { FileMissing } from '../../files/file-place.ts'
import { fileValue, type NewFile } from '../../files/files.ts'
import type { FileValue } from '../../flows/file-value.ts'
import type { OpenFile, StepFiles } from '../../flows/step/step-files.ts'
import type { FileReader, RunFiles } from './run-files.ts'

interface FilesOfStepDeps {
  readonly files: Pick<RunFiles, keyof RunFiles>
  readonly reader: FileReader
  readonly abort: LazyAbort
  /** What the store does not take, or give, now is waited for. */
  readonly persist: <T>(ask: () => Promise<T>) => Promise<T>
  /** Why it may not store any; undefined where it may. */
  readonly refusal: StepError | undefined
}

/** What one attempt at a step does with files. */
export class FilesOfStep implements StepFiles {
  readonly #deps: FilesOfStepDeps
  readonly #made: NewFile[] = []
  /** Opened for the context's sake: from here on the run names them. */
  readonly #uses = new Set<string>()
  /** A component may come back before the files that it makes are there. */
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(deps: FilesOfStepDeps) {
    this.#deps = deps
  }

  // As properties: a component takes them out of its arguments.

  readonly open: StepFiles['open'] = async (id) => {
    const { files, reader, persist } = this.#deps
    const made = this.#made.find((file) => file.id === id)
    if (made !== undefined) return this.#opened(made)
    const found = await persist(() => files.find(String(id), reader))
    if (found === undefined) throw fileNotFound(id)
    if (found.isNew) this.#uses.add(found.file.id)
    return this.#opened(found.file)
  }

  readonly create: StepFiles['create'] = (bytes, about) => {
    const creating = this.#create(bytes, about)
    this.#underWay.add(creating)
    creating.catch(() => {}).finally(() => this.#underWay.delete(creating))
    return creating
  }

  /** The step has come to its end, or to a wait: what it made is its run's, before anybody is told of it. */
  async settle(): Promise<void> {
    const { files, reader, persist } = this.#deps
    await Promise.allSettled(this.#underWay)
    if (this.#made.length === 0 && this.#uses.size === 0) return
    try {
      await persist(() => files.name(reader.run, { files: this.#made, uses: [...this.#uses] }))
    } catch (error) {
      // What the store was told last it may have kept: the sweep finds out.
      if (this.#deps.abort.reason !== undefined) await files.letGo(this.#made)
      throw error
    }
    await files.stored(this.#made)
  }

  /** The step has failed. */
  async letGo(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await this.#deps.files.letGo(this.#made)
  }

  async #create(
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    { filename, contentType }: { readonly filename: string; readonly contentType: string }
  ): Promise<FileValue> {
    const { files, reader, refusal } = this.#deps
    if (refusal !== undefined) throw refusal
    const about = { filename: String(filename), contentType: String(contentType), context: reader.context }
    try {
      const file = await files.keep(this.#untilAborted(bytes instanceof Uint8Array ? [bytes] : bytes), about)
      this.#made.push(file)
      return fileValue(file)
    } catch (error) {
      throw error instanceof MillraceError && error.code === 'file_too_large'
        ? new StepError(error.message, { code: error.code, retryable: false })
        : error
    }
  }

  async *#untilAborted(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { abort } = this.#deps
    for await (const part of bytes) {
      if (abort.reason !== undefined) throw abort.reason
      yield part
    }
  }

  #opened(file: NewFile): OpenFile {
    const read: OpenFile['read'] = (range) =>
      this.#untilAborted(readable(file, this.#deps.files.read(file.name, range)))
    return {
      value: fileValue(file),
      read,
      async bytes(most) {
        if (file.size > most) throw tooLarge(file, most)
        return Buffer.concat(await Array.fromAsync(read()))
      }
    }
  }
}

async function* readable(
  { filename }: NewFile,
  bytes: AsyncIterable<Uint8Array>
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    throw new StepError(`The bytes of the file "${filename}" are not where they were stored.`, {
      code: 'file_not_found',
      retryable: false,
      cause: error
    })
  }
}

function fileNotFound(id: string): StepError {
  return new StepError(
    `There is no file ${JSON.stringify(id)} that this run may open: it came with another run, its run was deleted, or whoever sent the id may not read it. Send the file itself, or its id by a key that may read it.`,
    { code: 'file_not_found', retryable: false }
  )
}

function tooLarge({ filename, size }: NewFile, most: number): StepError {
  return new StepError(
    `The file "${filename}" has ${size} bytes, and ${most} are read at once here. Use a smaller one.`,
    { code: 'file_too_large', retryable: false }
  )
}
