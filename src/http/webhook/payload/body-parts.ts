import type { Readable } from 'node:stream'
import { cutShort } from '../../requests/gather-body.ts'
import { youngGarbage } from '../../requests/young-garbage.ts'

/** A sender that is faster than who asks is held up when so much lies here. */
const MOST_ARRIVED = 131_072

/**
 * The parts of a body, one after the other, each when it is asked for. Unlike the iterator of a stream it can be ended while a sender says nothing, and
 * leaves the connection open for the answer.
 */
export class BodyParts {
  readonly #body: Readable
  readonly #arrived: Buffer[] = []
  #arrivedBytes = 0
  #end: Error | 'end' | undefined
  #ask:
    | { readonly resolve: (part: Buffer | undefined) => void; readonly reject: (error: Error) => void }
    | undefined

  constructor(body: Readable) {
    this.#body = body
    body.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
    body.pause()
  }

  /** Undefined at the end. */
  next(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      this.#ask = { resolve, reject }
      this.#serve()
      if (this.#arrivedBytes < MOST_ARRIVED && this.#body.isPaused()) this.#body.resume()
    })
  }

  async *from(first: Buffer): AsyncGenerator<Buffer> {
    for (let part: Buffer | undefined = first; part !== undefined; part = await this.next()) yield part
  }

  async *all(): AsyncGenerator<Buffer> {
    const first = await this.next()
    if (first !== undefined) yield* this.from(first)
  }

  /** Nothing more is wanted of it: whoever asks gets this error. */
  refuse(error: Error): void {
    this.#settle(error)
  }

  /** Reads what is left and keeps nothing of it: else it would hold up the connection. */
  close(): void {
    this.#settle(new Error('nothing more is read of this body'))
    const body = this.#body
    body.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose)
    body.resume()
  }

  readonly #onData = (part: Buffer | string) => {
    // A stream that a hook put in its place may give text.
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    this.#arrived.push(bytes)
    this.#arrivedBytes += bytes.length
    youngGarbage.left(bytes.length)
    this.#serve()
    if (this.#arrivedBytes >= MOST_ARRIVED) this.#body.pause()
  }

  readonly #onEnd = () => this.#settle('end')
  readonly #onError = (error: Error) => this.#settle(cutShort(error))
  readonly #onClose = () => this.#settle(cutShort(new Error('The connection was closed before its end.')))

  #settle(end: Error | 'end'): void {
    this.#end ??= end
    this.#serve()
  }

  #serve(): void {
    if (this.#ask === undefined) return
    const { resolve, reject } = this.#ask
    if (this.#end instanceof Error) reject(this.#end)
    else if (this.#arrived.length > 0) resolve(this.#takeFirst())
    else if (this.#end === 'end') resolve(undefined)
    else return
    this.#ask = undefined
  }

  #takeFirst(): Buffer {
    const part = this.#arrived.shift()!
    this.#arrivedBytes -= part.length
    return part
  }
}
