import { MillraceError, messageOf } from '../errors.ts'
import { FileMissing, type FilePlace } from './file-place.ts'

const readOnly = 'they may not be written there. Give the user that runs Millrace the right to.'
const full = 'the disk is full. Make room on it; Millrace goes on by itself.'

/** In words for whoever must act. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: 'the system lets nobody write files of that size. Raise its limit.',
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
  EIO: 'the disk reported an I/O error. Check the disk.',
  EMFILE: 'too many files are open. Raise the limit of the system (ulimit -n).',
  ENFILE: 'too many files are open. Raise the limit of the system.'
}

/**
 * The same place, with its faults told as those of the store are (`store_unwritable`): senders are asked to try again, and steps are
 * tried again. What the bytes themselves reject with, as where a sender has gone, is passed on as it is.
 */
export function tellFaults(
  place: FilePlace,
  where: string,
  onFault: (error: MillraceError) => void = () => {}
): FilePlace {
  const told = (error: unknown): unknown => {
    if (error instanceof MillraceError || error instanceof FileMissing) return error
    const fault = unusable(where, error)
    onFault(fault)
    return fault
  }
  return {
    write: async (name, bytes) => {
      const source = new Watched(bytes)
      try {
        await place.write(name, source)
      } catch (error) {
        throw source.hasFailed ? error : told(error)
      }
    },
    read: (name, range) =>
      place.read(name, range).catch((error) => {
        throw told(error)
      }),
    remove: (name) =>
      place.remove(name).catch((error) => {
        throw told(error)
      }),
    names: () => place.names()
  }
}

/** Knows whether it was the bytes that failed. */
class Watched implements AsyncIterable<Uint8Array> {
  readonly #from: AsyncIterable<Uint8Array>
  hasFailed = false

  constructor(from: AsyncIterable<Uint8Array>) {
    this.#from = from
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const reading = this.#from[Symbol.asyncIterator]()
    let isOver = false
    try {
      for (;;) {
        const { done, value } = await this.#next(reading)
        isOver = done === true
        if (isOver) return
        yield value
      }
    } finally {
      if (!isOver && !this.hasFailed) await reading.return?.()
    }
  }

  async #next(reading: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await reading.next()
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }
}

function unusable(where: string, cause: unknown): MillraceError {
  const { code } = Object(cause) as { code?: unknown }
  const words = typeof code === 'string' ? WORDS[code] : undefined
  const said = reasonOf(cause)
  const message = `Files in ${where} cannot be used: ${words === undefined ? said : `${words} (${said})`}`
  return new MillraceError('store_unwritable', message, {
    cause,
    ...(words === undefined ? {} : { publicMessage: `Files cannot be stored: ${words}` })
  })
}

/** fetch itself says only that it failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof TypeError ? error.cause : undefined
  return cause === undefined ? messageOf(error) : `nobody answers there (${messageOf(cause)}).`
}
