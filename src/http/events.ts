import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Clock } from '../clock.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import { eventsOf } from '../runs/run-events.ts'
import type { Runs } from '../runs/runs.ts'
import type { Change, RunStore } from '../store/store.ts'
import { visibleFlow } from './access.ts'
import { IdParams } from './schemas.ts'

export interface EventDeps {
  readonly library: FlowLibrary
  readonly runs: Pick<Runs, 'subscribe'>
  readonly store: Pick<RunStore, 'changes' | 'lastChange'>
  readonly clock: Clock
}

const HEARTBEAT_MS = 15_000
const PAGE = 200

/** Live events of a flow, server-sent. */
export function eventRoutes(app: FastifyInstance, deps: EventDeps): void {
  const streams = new Set<EventStream>()
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end()
  })
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/events',
    {
      config: { access: 'read' },
      // A stream has no end that an answer to HEAD could wait for.
      exposeHeadRoute: false,
      schema: {
        tags: ['Playground'],
        summary: 'Live events of a flow, server-sent',
        description:
          'Send Last-Event-ID (or ?last_event_id=) to go on where a connection broke, without a gap.',
        params: IdParams,
        querystring: Type.Object({ last_event_id: Type.Optional(Type.String()) })
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, deps.library, request.params.id)
      const asked =
        request.headers['last-event-id'] ?? (request.query as { last_event_id?: string }).last_event_id
      const place = readPlace(asked, await deps.store.lastChange())
      reply.hijack()
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no'
      })
      const stream = new EventStream(reply.raw, flow.id, place, deps)
      streams.add(stream)
      reply.raw.on('close', () => {
        stream.end()
        streams.delete(stream)
      })
      stream.start()
    }
  )
}

/** The event after which a stream goes on: the number of its change and the number within that. */
interface Place {
  readonly no: number
  readonly index: number
}

function endOf(no: number): Place {
  return { no, index: Number.MAX_SAFE_INTEGER }
}

/** Without an id, or with one that this store has never given, the stream begins now. */
function readPlace(id: string | string[] | undefined, lastChange: number): Place {
  const match = /^(\d{1,15})\.(\d{1,9})$/.exec(String(id ?? ''))
  if (match === null || Number(match[1]) > lastChange) return endOf(lastChange)
  return { no: Number(match[1]), index: Number(match[2]) }
}

/**
 * One connection. It is either catching up from the store or live. A listener that reads more slowly than events
 * come goes back to catching up, so nothing is kept in memory for it and nothing is left out.
 */
class EventStream {
  readonly #out: ServerResponse
  readonly #flowId: string
  readonly #deps: EventDeps
  #place: Place
  #isLive = false
  #isOver = false
  /** The newest change that was told while the stream was catching up. */
  #missed = 0
  #heartbeat: { stop(): void } | undefined
  #unsubscribe: (() => void) | undefined

  constructor(out: ServerResponse, flowId: string, place: Place, deps: EventDeps) {
    this.#out = out
    this.#flowId = flowId
    this.#place = place
    this.#deps = deps
  }

  start(): void {
    this.#out.write('retry: 1000\n: connected\n\n')
    this.#beat()
    this.#unsubscribe = this.#deps.runs.subscribe(this.#flowId, (change) => this.#hear(change))
    void this.#catchUp()
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#heartbeat?.stop()
    this.#unsubscribe?.()
    this.#out.end()
  }

  #hear(change: Change): void {
    if (change.no <= this.#place.no) return
    if (!this.#isLive) {
      this.#missed = change.no
      return
    }
    if (this.#send(change)) return
    this.#isLive = false
    this.#out.once('drain', () => void this.#catchUp())
  }

  /** Reads on until the store has nothing more. What is committed between two reads is in the next one. */
  async #catchUp(): Promise<void> {
    try {
      for (;;) {
        // A change that was sent in part is read again; what was sent of it is passed over.
        const changes = await this.#deps.store.changes([this.#flowId], this.#place.no - 1, PAGE)
        if (this.#isOver) return
        const news = changes.filter((change) => change.no > this.#place.no || this.#isPartial(change))
        if (news.length === 0 && this.#missed <= this.#place.no) break
        for (const change of news) {
          if (!this.#send(change)) await new Promise((resolve) => this.#out.once('drain', resolve))
          if (this.#isOver) return
        }
      }
      this.#isLive = true
    } catch {
      // The listener comes back by itself and goes on after the last event that it got.
      this.end()
    }
  }

  #isPartial(change: Change): boolean {
    return change.no === this.#place.no && this.#place.index < Number.MAX_SAFE_INTEGER
  }

  /** False when the listener is slower than what is written. */
  #send(change: Change): boolean {
    let text = ''
    eventsOf(change).forEach((event, index) => {
      if (change.no === this.#place.no && index <= this.#place.index) return
      text += `id: ${event.id}\nevent: ${event.event}\ndata: ${event.data}\n\n`
    })
    this.#place = endOf(change.no)
    return text === '' || this.#out.write(text)
  }

  #beat(): void {
    this.#heartbeat = this.#deps.clock.startTimer(HEARTBEAT_MS, () => {
      this.#out.write(': still here\n\n')
      this.#beat()
    })
  }
}
