import { Readable } from 'node:stream'
import type { MillraceError } from '../../errors.ts'
import { type BodyMemory, bodyMemory, type UnfinishedBody } from './body-memory.ts'
import { GatheredBody } from './gather-body.ts'

// Not by `import`, which loads all of fetch with it. Fastify has loaded this part.
const { IncomingMessage } = process.getBuiltinModule('node:http')

interface Gathering {
  readonly body: GatheredBody
  readonly then: (body: Buffer) => void
  readonly refused: (error: MillraceError) => void
  readonly length: number
  readonly memory: BodyMemory
}

/**
 * A request whose body can be taken past the stream: as it comes from the parser, and handed over in the very turn in which
 * it is whole. All that a stream does for its readers besides (events, ticks, its own end) was a twentieth of a run.
 */
export class GatheredRequest extends IncomingMessage implements UnfinishedBody {
  /** Null when it was handed over: whoever keeps the request, as Node does until the next one, must not keep the body. */
  #gathering: Gathering | null | undefined

  /** To be called before the body is read, for one whose length is known and is not too much. */
  gather(
    then: (body: Buffer) => void,
    refused: (error: MillraceError) => void,
    memory: BodyMemory = bodyMemory
  ): void {
    const length = Number(this.headers['content-length'] ?? 0)
    this.#gathering = { body: new GatheredBody(), then, refused, length, memory }
    // Tells Node that somebody reads: else it would read what it holds to be left over. By `read`, a stream would do more (1 µs).
    this._read(0)
  }

  /** Asked by Node when the answer is sent: else it keeps the request, and listens for an end that does not come (1 µs). */
  static {
    const { get } = Object.getOwnPropertyDescriptor(Readable.prototype, 'readableEnded')!
    Object.defineProperty(GatheredRequest.prototype, 'readableEnded', {
      get(this: GatheredRequest) {
        return this.#gathering === null ? this.complete : get!.call(this)
      }
    })
  }

  /** Called by Node with what the parser finds, and null at the end. */
  override push(part: Buffer | null, encoding?: BufferEncoding): boolean {
    const gathering = this.#gathering
    if (gathering === undefined) return super.push(part, encoding)
    if (gathering === null) return true
    if (part !== null) {
      gathering.body.add(part)
      // Most come in one part, and are whole with it.
      if (gathering.body.length < gathering.length) gathering.memory.take(this, gathering.body.size)
      return true
    }
    this.#letGo(gathering)
    gathering.then(gathering.body.take())
    return true
  }

  refuse(error: MillraceError): void {
    const gathering = this.#gathering
    if (gathering == null) return
    this.#gathering = null
    gathering.refused(error)
  }

  /** Called by Node when the connection is gone, and never for one that came whole. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#gathering != null) this.#letGo(this.#gathering)
    super._destroy(error, done)
  }

  #letGo({ memory }: Gathering): void {
    this.#gathering = null
    memory.give(this)
  }
}
