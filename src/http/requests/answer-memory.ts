import type { ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify'

/** Of what the heap may become, for answers that are on their way. */
const SHARE_OF_HEAP = 1 / 16

/** In bytes or characters. What is shorter is in the socket's own memory as soon as it is sent. */
export const SHORT_ANSWER = 64 * 1024

/** Whoever takes nothing of a long answer for so long has gone. */
const PATIENCE_MS = 60_000

/** Who asked for an answer. */
interface Reader {
  /** The key, else the address. */
  readonly sender: string
  /** For the log: an answer was cut off. */
  readonly tell: (held: { readonly held_bytes: number; readonly limit_bytes: number }) => void
}

/** An answer that its reader has not taken yet. */
interface Held extends Reader {
  readonly response: ServerResponse
  readonly bytes: number
}

export const CUT_OFF = 'an answer was cut off: who asked for it holds too many that they do not read'

export function readerOf({ actor, ip, log }: FastifyRequest): Reader {
  const asked = { ...(actor ? { key: actor.name } : {}), address: ip }
  return { sender: actor?.keyId ?? ip, tell: (held) => log.warn({ ...asked, ...held }, CUT_OFF) }
}

/**
 * What answers take that their readers have not taken yet. Without a bound, whoever asks for a large document on many connections and
 * reads none of them fills the memory. When there is no room, whoever holds the most of it loses the answer that has been on its way for
 * longest: nobody else's is cut off for it, however slowly they read. One by itself always fits.
 */
export class AnswerMemory {
  readonly #limit: number
  readonly #patienceMs: number
  #bytes = 0
  /** The oldest first. */
  readonly #held = new Map<ServerResponse, Held>()
  readonly #bytesOf = new Map<string, number>()
  /** Those of whom the log tells, until they hold nothing any more: it must not grow with what they ask. */
  readonly #told = new Set<string>()

  constructor(limit: number, patienceMs = PATIENCE_MS) {
    this.#limit = limit
    this.#patienceMs = patienceMs
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Until the response is taken, or its reader has gone. */
  hold(response: ServerResponse, bytes: number, reader: Reader): void {
    if (bytes <= SHORT_ANSWER || this.#held.has(response) || response.destroyed) return
    this.#held.set(response, { ...reader, response, bytes })
    this.#count(reader.sender, bytes)
    response.once('close', () => this.#letGo(response))
    this.expectReader(response)
    while (this.#bytes > this.#limit && this.#held.size > 1) this.#cutOff(this.#mostHeld(response))
  }

  /** As Node does where nobody hears of it; who calls from within hears of it too. */
  expectReader(response: ServerResponse): void {
    response.setTimeout(this.#patienceMs, () => response.destroy())
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

  #cutOff({ response, sender, tell }: Held): void {
    const held_bytes = this.#bytesOf.get(sender)!
    if (!this.#told.has(sender)) tell({ held_bytes, limit_bytes: this.#limit })
    this.#told.add(sender)
    this.#letGo(response)
    response.destroy()
  }
}

/** One for the process, whose memory it is. */
export const answerMemory = new AnswerMemory(Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP))

/**
 * What is sent as a whole takes as much as it has. Of the API only what is read can be long; what flows answer is held where it is
 * sent, as a hook on the webhook would be one more than its fast path has.
 */
export function limitAnswers(app: FastifyInstance, memory = answerMemory): void {
  const hold: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    const length = (payload as { readonly length?: unknown } | null | undefined)?.length
    if (typeof length === 'number' && length > SHORT_ANSWER) memory.hold(reply.raw, length, readerOf(request))
    done()
  }
  app.addHook('onRoute', (route) => {
    if ([route.method].flat().includes('GET')) route.onSend = [route.onSend ?? [], hold].flat()
  })
}
