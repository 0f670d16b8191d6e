import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { type MillraceError, type ProblemCode, problems } from '../../errors.ts'
import { sendProblem } from '../problem.ts'

interface RefusalsDeps {
  readonly log: Pick<FastifyBaseLogger, 'info'>
  readonly now: () => number
  readonly count: (reason: ProblemCode) => void
  readonly findFlow: (reference: string) => RefusedFlow | undefined
}

interface RefusedFlow {
  readonly id: string
  readonly slug: string
}

/** What a line in the log tells of a request. Its address as it was sent may hold a secret. */
interface RefusedRequest {
  readonly method?: string
  /** The pattern of the route. */
  readonly route?: string
  /** Who sent it. */
  readonly address: string
  readonly flow?: RefusedFlow | undefined
}

const SPAN_MS = 60_000
/** Beyond as many, a reason is told for all other flows together: neither memory nor log may grow with a flood. */
const MOST_REMEMBERED = 1_000

/** These are told with their cause, where that is known. */
const TOLD_ELSEWHERE: ReadonlySet<ProblemCode> = new Set(['internal_error', 'store_unwritable'])

/** Counts what is refused by its reason, and tells the first of each reason and flow per minute. */
export class Refusals {
  readonly #deps: RefusalsDeps
  readonly #counted = new WeakSet<object>()
  /** Until when nothing more is told of a reason and a flow, the oldest first. */
  readonly #silent = new Map<string, number>()

  constructor(deps: RefusalsDeps) {
    this.#deps = deps
  }

  /** Answers with the refusal, and counts it. */
  send(reply: FastifyReply, error: MillraceError): FastifyReply {
    this.#note(reply.request, error.code, error.status)
    return sendProblem(reply, error)
  }

  /** Counts one that is answered in words of its own, as a page is. */
  note(request: FastifyRequest, { code, status }: Pick<MillraceError, 'code' | 'status'>): void {
    this.#note(request, code, status)
  }

  /** A hook of a plugin has answered by itself. */
  byPlugin(request: FastifyRequest, status: number): void {
    this.#note(request, 'refused_by_plugin', status)
  }

  /** One that never came to the router. */
  add(reason: ProblemCode, status: number, { flow, ...request }: RefusedRequest): void {
    this.#deps.count(reason)
    if (TOLD_ELSEWHERE.has(reason) || !this.#isToTell(reason, flow?.id)) return
    const facts = { reason, status, ...request, ...(flow === undefined ? {} : { flow: flow.slug }) }
    this.#deps.log.info(facts, `a request was refused: ${problems[reason].title}`)
  }

  /** The words of a refusal may be replaced on their way out, by those of another: the first reason is the true one. */
  #note(request: FastifyRequest, reason: ProblemCode, status: number): void {
    if (this.#counted.has(request.raw)) return
    this.#counted.add(request.raw)
    const { method, ip: address } = request
    const route = request.routeOptions.url
    const flow = this.#flowOf(request, route)
    this.add(reason, status, { method, address, flow, ...(route === undefined ? {} : { route }) })
  }

  #flowOf({ params }: FastifyRequest, route = ''): RefusedFlow | undefined {
    const { flow, id } = Object(params) as { readonly flow?: string; readonly id?: string }
    const reference = flow ?? (route.includes('/flows/:id') ? id : undefined)
    return reference === undefined ? undefined : this.#deps.findFlow(reference)
  }

  #isToTell(reason: ProblemCode, flowId = ''): boolean {
    const now = this.#deps.now()
    this.#forgetPast(now)
    const ofFlow = `${reason} ${flowId}`
    const isFull = this.#silent.size >= MOST_REMEMBERED && !this.#silent.has(ofFlow)
    const kind = isFull ? `${reason} ` : ofFlow
    if (this.#silent.has(kind)) return false
    this.#silent.set(kind, now + SPAN_MS)
    return true
  }

  /** A clock that was set back must not keep anything silent for longer than the minute. */
  #forgetPast(now: number): void {
    for (const [kind, until] of this.#silent) {
      if (until > now && until <= now + SPAN_MS) return
      this.#silent.delete(kind)
    }
  }
}
