import type { ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, onSendHookHandler } from 'fastify'

/** Of what the heap may become, for answers that are on their way. */
const SHARE_OF_HEAP = 1 / 16

/** In bytes or characters. What is shorter is in the socket's own memory as soon as it is sent. */
const SHORT = 64 * 1024

/** Whoever takes nothing of a long answer for so long has gone. */
const PATIENCE_MS = 60_000

/**
 * What answers take that their readers have not taken yet. Without a bound, whoever asks for a large document on many connections and
 * reads none of them fills the memory. When there is no room, the one that has been on its way for longest is cut off: an honest
 * reader is done in a moment, and can ask again. One by itself always fits.
 */
export class AnswerMemory {
  readonly #limit: number
  #bytes = 0
  /** The oldest first. */
  readonly #held = new Map<ServerResponse, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Until the response is taken, or its reader has gone. */
  hold(response: ServerResponse, bytes: number): void {
    if (bytes <= SHORT || this.#held.has(response) || response.destroyed) return
    this.#held.set(response, bytes)
    this.#bytes += bytes
    response.once('close', () => this.#letGo(response))
    // Nobody hears of it, so Node ends the connection.
    response.setTimeout(PATIENCE_MS)
    while (this.#bytes > this.#limit && this.#held.size > 1) this.#cutOffOldest()
  }

  #letGo(response: ServerResponse): void {
    this.#bytes -= this.#held.get(response) ?? 0
    this.#held.delete(response)
  }

  #cutOffOldest(): void {
    const [oldest] = this.#held.keys()
    this.#letGo(oldest!)
    oldest!.destroy()
  }
}

/** One for the process, whose memory it is. */
export const answerMemory = new AnswerMemory(Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP))

/**
 * What is sent as a whole takes as much as it has. Only what is read can be long; and a hook on the webhook would be one more than
 * its fast path has.
 */
export function limitAnswers(app: FastifyInstance, memory = answerMemory): void {
  const hold: onSendHookHandler<unknown> = (_request, reply, payload, done) => {
    const length = (payload as { readonly length?: unknown } | null | undefined)?.length
    if (typeof length === 'number' && length > SHORT) memory.hold(reply.raw, length)
    done()
  }
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().includes('GET')) route.onSend = [route.onSend ?? [], hold].flat()
  })
}
