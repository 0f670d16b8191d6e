import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { type Actor, canSee, seesAll } from '../../keys/rights.ts'
import type { Comments } from '../../library/comments.ts'
import type { DraftChange, Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { FlowChange } from '../../library/live-flows.ts'
import type { Presence, PresenceNews } from '../../library/presence.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { Runs } from '../../runs/runs.ts'
import type { RunStore } from '../../store/store.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { apiHeaders } from '../api-headers.ts'
import { presentAll } from '../flows/presence.ts'
import { IdParams, textOf } from '../schemas.ts'
import { EventPages, type ReadFlows } from './event-pages.ts'
import { type Audience, EventStream, MOST_MISSED, type News, readPlace } from './event-stream.ts'
import { flowsToRead, NO_FLOWS, oneFlow } from './flows-to-read.ts'
import { MOST_OF_KEY, MOST_STREAMS, StreamPlaces } from './stream-places.ts'
import { TextEvents } from './text-events.ts'

interface EventDeps {
  readonly library: FlowLibrary
  readonly drafts: Pick<Drafts, 'subscribe'>
  readonly comments: Pick<Comments, 'subscribe'>
  readonly presence: Pick<Presence, 'subscribe'>
  readonly keys: Pick<KeyRing, 'get' | 'watch'>
  readonly runs: Pick<Runs, 'subscribe' | 'subscribeToText'>
  readonly runStore: Pick<RunStore, 'changes' | 'countChanges' | 'lastChange'>
  readonly clock: Clock
}

const tags = ['Events']
const description = `Send Last-Event-ID (or ?last_event_id=) to go on where a connection broke, without a gap. Who has missed more than ${MOST_MISSED} changes gets the event reset instead of them: read the lists again then; what comes after it is told. The event message.delta (flow_id, run_id, node, at, text) carries the text of a step while it works: it has no id, is told once, and the message or output that follows holds the whole; at is where the piece begins, and 0 begins anew. The event step.tool (flow_id, run_id, node, id, name, and arguments when a call begins, result and maybe error when it has ended) tells of the tools that an agent calls, in the same way. The events draft.saved (flow_id, revision, base_version, author, updated_at) and draft.deleted (flow_id: it was published or discarded) tell of the draft; flow.presence (flow_id, present) of who has the flow open, and comments.changed (flow_id) of what is written about it; they have no id and are told once. A key that is revoked or expires ends the stream, and so does a client that takes nothing for a minute; a key has up to ${MOST_OF_KEY} of them open. Where ${MOST_STREAMS} are open in one process, the key that has most loses its youngest to one that has fewer, with the event streams_limited (code, message) at its end.`
const response = { 200: textOf('text/event-stream', 'Events, until one of both sides ends the stream') }
const querystring = Type.Object({ last_event_id: Type.Optional(Type.String()) })

/** A stream has no end that an answer to HEAD could wait for. */
const config = { config: { access: 'read' }, exposeHeadRoute: false } as const

/** Live events, server-sent: of one flow, and of all that the caller may read. */
export function eventRoutes(app: FastifyInstance, deps: EventDeps): void {
  const streams = new OpenStreams(deps)
  app.addHook('preClose', async () => streams.endAll())

  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/events',
    {
      ...config,
      schema: {
        tags,
        operationId: 'streamFlowEvents',
        summary: 'Live events of a flow, server-sent',
        refuses: ['flow_not_found', 'streams_limited'],
        description,
        params: IdParams,
        querystring,
        response
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, deps.library, request.params.id)
      await streams.open(request, reply, flow.id)
    }
  )

  app.get(
    '/api/v1/events',
    {
      ...config,
      schema: {
        tags,
        operationId: 'streamEvents',
        summary: 'Live events of all flows that the key may read, server-sent',
        refuses: ['streams_limited'],
        description: `${description} Tells of flows too: flow.saved and flow.deleted have no id and are told once, so read the flows again after a break.`,
        querystring,
        response
      }
    },
    async (request, reply) => {
      await streams.open(request, reply, null)
    }
  )
}

class OpenStreams {
  readonly #deps: EventDeps
  readonly #streams = new Set<EventStream>()
  readonly #places = new StreamPlaces()
  readonly #pages: EventPages
  readonly #textEvents = new TextEvents()
  readonly #flowsOf: (actor: Actor) => ReadFlows

  constructor(deps: EventDeps) {
    this.#deps = deps
    this.#pages = new EventPages(deps)
    this.#flowsOf = flowsToRead(deps.library)
  }

  /** Of one flow, or of all (null). */
  async open(request: FastifyRequest, reply: FastifyReply, flowId: string | null): Promise<void> {
    const lost = new AbortController()
    const leave = this.#places.take(actorOf(request).keyId, (error) => lost.abort(error))
    try {
      await this.#begin(request, reply, flowId, { lost: lost.signal, givePlaceBack: leave })
    } catch (error) {
      leave()
      throw error
    }
  }

  async #begin(
    request: FastifyRequest,
    reply: FastifyReply,
    flowId: string | null,
    { lost, givePlaceBack }: { readonly lost: AbortSignal; readonly givePlaceBack: () => void }
  ): Promise<void> {
    const { runStore: store, clock } = this.#deps
    const { last_event_id } = request.query as { last_event_id?: string }
    const place = readPlace(request.headers['last-event-id'] ?? last_event_id, await store.lastChange())
    lost.throwIfAborted()
    reply.hijack()
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      ...apiHeaders,
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no'
    })
    const audience = audienceOf(actorOf(request), flowId, { ...this.#deps, flowsOf: this.#flowsOf })
    const stream = new EventStream(
      { out: reply.raw, audience, pages: this.#pages, textEvents: this.#textEvents, store, clock },
      place
    )
    const leave = () => {
      stream.end()
      this.#streams.delete(stream)
      givePlaceBack()
    }
    this.#streams.add(stream)
    reply.raw.on('close', leave)
    lost.addEventListener('abort', () => stream.endFor(lost.reason as MillraceError))
    stream.start()
    // Who went away while the store was asked will not go away again.
    if (reply.raw.destroyed) leave()
  }

  endAll(): void {
    for (const stream of this.#streams) stream.end()
  }
}

interface AudienceDeps extends EventDeps {
  readonly flowsOf: (actor: Actor) => ReadFlows
}

function audienceOf(actor: Actor, flowId: string | null, deps: AudienceDeps): Audience {
  const { library, drafts, comments, presence, keys, runs, flowsOf } = deps
  const { keyId } = actor
  const sees = (id: string) => {
    const flow = library.find(id)
    return flow === undefined ? seesAll(actor) : canSee(actor, flow)
  }
  return {
    sees,
    flows: () => {
      if (flowId === null) return flowsOf(actor)
      return sees(flowId) ? oneFlow(flowId) : NO_FLOWS
    },
    isWelcome: () => keys.get(keyId) !== undefined,
    until: keys.get(keyId)?.key.expiresAt ?? null,
    onChange: (listener) => runs.subscribe(flowId, listener),
    onText: (listener) => runs.subscribeToText(flowId, listener),
    onNews: (listener) => {
      const isHeard = (id: string) => (flowId === null || id === flowId) && sees(id)
      const leaves = [
        drafts.subscribe((change) => {
          if (isHeard(change.flow.id)) listener(draftNewsOf(change))
        }),
        comments.subscribe((id) => {
          if (isHeard(id)) listener(commentNewsOf(id))
        }),
        presence.subscribe((change) => {
          if (isHeard(change.flowId)) listener(presenceNewsOf(change))
        })
      ]
      if (flowId === null) {
        const leaveFlows = library.subscribe((change) => {
          const news = newsOf(actor, change)
          if (news !== undefined) listener(news)
        })
        leaves.push(leaveFlows)
      }
      return () => {
        for (const leave of leaves) leave()
      }
    },
    onUnwelcome: (listener) => keys.watch(keyId, listener)
  }
}

/** A flow that moves out of the caller's sight is gone, as far as the caller knows. */
function newsOf(actor: Actor, { kind, flow, before }: FlowChange): News | undefined {
  const { id: flowId, version, slug, context, document } = flow
  if (kind === 'saved' && canSee(actor, flow)) {
    const updated_at = timeText(flow.updatedAt)
    const data = { flow_id: flowId, name: document.name, slug, context, version, updated_at }
    return { about: flowId, event: 'flow.saved', data }
  }
  if (before === undefined || !canSee(actor, before)) return undefined
  return { about: flowId, event: 'flow.deleted', data: { flow_id: flowId } }
}

function draftNewsOf({ flow, draft }: DraftChange): News {
  const flow_id = flow.id
  const about = `${flow_id}/draft`
  if (draft === null) return { about, event: 'draft.deleted', data: { flow_id } }
  const { revision, baseVersion: base_version, author } = draft
  const updated_at = timeText(draft.updatedAt)
  return { about, event: 'draft.saved', data: { flow_id, revision, base_version, author, updated_at } }
}

function commentNewsOf(flow_id: string): News {
  return { about: `${flow_id}/comments`, event: 'comments.changed', data: { flow_id } }
}

function presenceNewsOf({ flowId: flow_id, present }: PresenceNews): News {
  return { about: `${flow_id}/presence`, event: 'flow.presence', data: { flow_id, ...presentAll(present) } }
}
