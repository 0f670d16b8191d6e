import { GatheredBody } from './gather-body.ts'

// Not by `import`, which loads all of fetch with it. Fastify has loaded this part.
const { IncomingMessage } = process.getBuiltinModule('node:http')

interface Gathering {
  readonly body: GatheredBody
  readonly then: (body: Buffer) => void
}

/**
 * A request whose body can be taken past the stream: as it comes from the parser, and handed over in the very turn in which
 * it is whole. All that a stream does for its readers besides (events, ticks, its own end) was a twentieth of a run.
 */
export class GatheredRequest extends IncomingMessage {
  /** Null when it was handed over: whoever keeps the request, as Node does until the next one, must not keep the body. */
  #gathering: Gathering | null | undefined

  /** To be called before the body is read, for one whose length is known and is not too much. */
  gather(then: (body: Buffer) => void): void {
    this.#gathering = { body: new GatheredBody(), then }
    // Tells Node that somebody reads: else it would read what it holds to be left over.
    this.read(0)
  }

  /** Called by Node with what the parser finds, and null at the end. */
  override push(part: Buffer | null, encoding?: BufferEncoding): boolean {
    const gathering = this.#gathering
    if (gathering === undefined) return super.push(part, encoding)
    if (gathering === null) return true
    if (part !== null) {
      gathering.body.add(part)
      return true
    }
    this.#gathering = null
    gathering.then(gathering.body.take())
    return true
  }
}
