import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../clock.ts'

/** So often something is sent, lest somebody between takes the connection for dead. */
const BEAT_MS = 15_000

/** Who takes nothing for so many beats is not there: what is kept for them would be kept for ever. */
const MOST_UNREAD_BEATS = 4

/** An answer of server-sent events. */
export class EventBody {
  readonly #out: ServerResponse
  readonly #body = new PassThrough()
  readonly #gone = new AbortController()
  readonly #clock: Pick<Clock, 'startTimer'>
  #beat: { stop(): void } | undefined
  #unreadBeats = 0

  constructor(reply: FastifyReply, clock: Pick<Clock, 'startTimer'>) {
    this.#clock = clock
    this.#out = reply.raw
    this.#out.on('drain', () => {
      this.#unreadBeats = 0
    })
    reply.raw.once('close', () => this.#leave())
    if (reply.raw.destroyed) this.#leave()
    else this.#startBeat()
    reply
      .headers({
        'content-type': 'text/event-stream; charset=utf-8',
        // Proxies that gather an answer would hold it until it is whole.
        'x-accel-buffering': 'no'
      })
      .send(this.#body)
    this.write(': connected\n\n')
  }

  /** Aborted when the caller goes away, and when all has been sent. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** JSON has no line breaks. */
  tell(event: string, data: unknown): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  write(text: string): void {
    if (!this.gone.aborted) this.#body.write(text)
  }

  /** What is left is sent; how long that may take is looked at as before. */
  end(): void {
    this.#body.end()
  }

  #startBeat(): void {
    this.#beat = this.#clock.startTimer(BEAT_MS, () => {
      this.#unreadBeats = this.#out.writableLength > 0 ? this.#unreadBeats + 1 : 0
      if (this.#unreadBeats >= MOST_UNREAD_BEATS) return void this.#out.destroy()
      if (!this.#body.writableEnded) this.write(': still at it\n\n')
      this.#startBeat()
    })
  }

  #leave(): void {
    this.#beat?.stop()
    this.#gone.abort()
    this.#body.destroy()
  }
}
