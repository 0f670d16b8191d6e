import type { ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyReply, onSendHookHandler } from 'fastify'

/** Of what the heap may become, for answers that are on their way. */
const SHARE_OF_HEAP = 1 / 16

/** In bytes or characters. What is shorter is in the socket's own memory as soon as it is sent. */
const SHORT = 64 * 1024

/** Whoever takes nothing of a long answer for so long has gone. */
const PATIENCE_MS = 60_000

/** An answer that its reader has not taken yet. */
interface Held {
  readonly reply: FastifyReply
  /** The key, else the address, that asked for it. */
  readonly sender: string
  readonly bytes: number
}

/**
 * What answers take that their readers have not taken yet. Without a bound, whoever asks for a large document on many connections and
 * reads none of them fills the memory. When there is no room, whoever holds the most of it loses the answer that has been on its way for
 * longest: nobody else's is cut off for it, however slowly they read. One by itself always fits.
 */
export class AnswerMemory {
  readonly #limit: number
  #bytes = 0
  /** The oldest first. */
  readonly #held = new Map<ServerResponse, Held>()
  readonly #bytesOf = new Map<string, number>()
  /** Those of whom the log tells, until they hold nothing any more: it must not grow with what they ask. */
  readonly #told = new Set<string>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Until the response is taken, or its reader has gone. */
  hold(reply: FastifyReply, bytes: number): void {
    const response = reply.raw
    if (bytes <= SHORT || this.#held.has(response) || response.destroyed) return
    const sender = reply.request.actor?.keyId ?? reply.request.ip
    this.#held.set(response, { reply, sender, bytes })
    this.#count(sender, bytes)
    response.once('close', () => this.#letGo(response))
    // As Node does where nobody hears of it; who calls from within hears of it too.
    response.setTimeout(PATIENCE_MS, () => response.destroy())
    while (this.#bytes > this.#limit && this.#held.size > 1) this.#cutOff(this.#mostHeld(response))
  }

  #letGo(response: ServerResponse): void {
    const held = this.#held.get(response)
    if (held === undefined) return
    this.#held.delete(response)
    this.#count(held.sender, -held.bytes)
  }

  #count(sender: string, more: number): void {
    this.#bytes += more
    const bytes = (this.#bytesOf.get(sender) ?? 0) + more
    this.#bytesOf.set(sender, bytes)
    if (bytes > 0) return
    this.#bytesOf.delete(sender)
    this.#told.delete(sender)
  }

  /** The oldest of whoever holds most, but not the one that was just begun. */
  #mostHeld(begun: ServerResponse): Held {
    let most: Held | undefined
    for (const [response, held] of this.#held) {
      if (response === begun) continue
      if (most === undefined || this.#bytesOf.get(held.sender)! > this.#bytesOf.get(most.sender)!) most = held
    }
    return most!
  }

  #cutOff({ reply, sender }: Held): void {
    const held_bytes = this.#bytesOf.get(sender)!
    if (!this.#told.has(sender)) {
      const { actor, ip: address } = reply.request
      const facts = { ...(actor ? { key: actor.name } : {}), address, held_bytes, limit_bytes: this.#limit }
      reply.log.warn(facts, 'an answer was cut off: who asked for it holds too many that they do not read')
    }
    this.#told.add(sender)
    this.#letGo(reply.raw)
    reply.raw.destroy()
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
    if (typeof length === 'number' && length > SHORT) memory.hold(reply, length)
    done()
  }
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().includes('GET')) route.onSend = [route.onSend ?? [], hold].flat()
  })
}
