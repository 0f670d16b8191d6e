import type { Digest } from './content-digest.ts'

/** What is known of bytes when they have all passed. */
interface Measured {
  /** In base64url. */
  readonly digest: string
  readonly size: number
}

interface MeasuredBytesOptions {
  readonly limit: number
  readonly tooLarge: () => Error
  readonly digest: Digest
}

/** Counts and digests bytes on their way, and ends the way where there are more than may be. */
export class MeasuredBytes implements AsyncIterable<Uint8Array> {
  readonly #from: AsyncIterable<Uint8Array>
  readonly #options: MeasuredBytesOptions
  #size = 0
  #digested: Promise<string> | undefined

  constructor(from: AsyncIterable<Uint8Array>, options: MeasuredBytesOptions) {
    this.#from = from
    this.#options = options
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { limit, tooLarge, digest } = this.#options
    try {
      for await (const part of this.#from) {
        if (this.#size + part.length > limit) throw tooLarge()
        digest.update(part)
        this.#size += part.length
        yield part
      }
    } finally {
      // Also where they did not all come: what the digest keeps is let go. And while the last of them are still being written.
      this.#digested = digest.end()
      this.#digested.catch(() => {})
    }
  }

  /** To be asked after the last of them. */
  async measured(): Promise<Measured> {
    this.#digested ??= this.#options.digest.end()
    return { digest: await this.#digested, size: this.#size }
  }
}
