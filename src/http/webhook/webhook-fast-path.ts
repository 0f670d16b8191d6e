import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../clock.ts'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { MillraceError } from '../../errors.ts'
import { mayNameFiles } from '../../flows/file-ids.ts'
import type { KeyGuesses } from '../../keys/key-guesses.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import type { Actor } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Start } from '../../runs/record/new-run.ts'
import type { Runs } from '../../runs/runs.ts'
import type { AcceptedRun } from '../../store/store.ts'
import { sentKey } from '../access/sent-key.ts'
import { type FileAccessDeps, filesGivenBy } from '../files/file-access.ts'
import type { Refusals } from '../operations/refusals.ts'
import { internalError, problemAnswer } from '../problem.ts'
import { SHORT_ANSWER } from '../requests/answer-memory.ts'
import { GatheredRequest } from '../requests/gathered-request.ts'
import type { KnownHosts } from '../requests/known-hosts.ts'
import { DateLine, PlainResponse } from '../requests/plain-response.ts'
import { clientAddress, type TrustsProxy } from '../requests/trusted-proxies.ts'
import { askedOfCaller, isAlias, keyRefusal } from './admission.ts'
import { answerParts } from './answers/answer-parts.ts'
import { type FileAnswerDeps, sendParts } from './answers/file-answer.ts'
import { type SendAnswer, WaitingResponse } from './answers/waiting-response.ts'
import { type ContextWebhooks, WEBHOOK_PATHS } from './context-webhooks.ts'
import { areNamed } from './deliveries.ts'
import { payloadKind } from './payload/payload-kind.ts'
import { webhookStart } from './request-facts.ts'
import { runAddress, startText } from './start-response.ts'

interface FastPathDeps extends FileAccessDeps, FileAnswerDeps {
  readonly library: FlowLibrary
  readonly tree: Pick<ContextTree, 'revision'>
  readonly webhooks: Pick<ContextWebhooks, 'isGuarded'>
  readonly keys: KeyRing
  readonly guesses: KeyGuesses
  readonly hosts: KnownHosts
  readonly refusals: Pick<Refusals, 'add'>
  readonly trustsProxy: TrustsProxy | null
  readonly runs: Runs
  readonly clock: Clock
  readonly bodyLimit: number
  /** What addresses that are told begin with. */
  readonly prefix: string
  readonly onAccepted: (seconds: number) => void
  readonly onError: (error: unknown, doing: string) => void
  readonly isStopping: () => boolean
}

/**
 * The way of the plain webhook, past the router and the hooks: the flow is there, the key is good, the body is not
 * too large, and on the route that serves the flow there is nothing but Millrace's own. Nothing would happen on the
 * long way but what is done here, and it would cost 20 µs of 110.
 *
 * Whatever is not plain (a wrong key, a signature, a limit, a delivery that has a name, an address that is written
 * otherwise, a caller that wants to wait …) is left to the long way in webhook.ts. So this never refuses what it
 * has looked at, and every answer but the 202, what the store says and that there is no room for the body has one place.
 */
export class WebhookFastPath {
  readonly #deps: FastPathDeps
  /** Contexts by whether a plugin looks at the requests in them, at one revision of the tree. */
  #guarded = new Map<string, boolean>()
  #revision = -1
  readonly #date = new DateLine()

  constructor(deps: FastPathDeps) {
    this.#deps = deps
  }

  /** Whether it took the request. Decides before the body is read: then it is too late to leave it to others. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    if (!(request instanceof GatheredRequest)) return false
    const flow = this.#plainFlow(request)
    if (flow === undefined) return false
    request.gather(
      (body) => this.#accept(flow, request, response, body),
      (error) => this.#refuse(error, flow, request, response)
    )
    return true
  }

  #plainFlow(request: IncomingMessage): LiveFlow | undefined {
    const { library, bodyLimit, isStopping } = this.#deps
    if (request.method !== 'POST') return undefined
    const reference = referenceIn(request.url!)
    const flow = reference === undefined ? undefined : library.find(reference)
    if (flow === undefined || isStopping()) return undefined
    // By an alias: the long way counts that.
    if (isAlias(reference!, flow)) return undefined
    const { headers } = request
    const isPlain =
      this.#deps.hosts.refusal(request) === undefined &&
      this.#isOpen(flow, request) &&
      headers['transfer-encoding'] === undefined &&
      headers['content-encoding'] === undefined &&
      payloadKind(headers['content-type']) === 'text' &&
      Number(headers['content-length'] ?? 0) <= bodyLimit &&
      headers.prefer === undefined &&
      !areNamed(headers) &&
      !this.#isGuarded(flow.context)
    return isPlain ? flow : undefined
  }

  #isOpen(flow: LiveFlow, request: IncomingMessage): boolean {
    if (flow.webhook?.isPlain !== true || mayBeStreamed(flow)) return false
    const asked = askedOfCaller(flow)
    if (asked !== 'key') return asked === 'nothing'
    const key = sentKey(request.headers)?.text
    if (key === undefined) return false
    const { keys, guesses } = this.#deps
    const actor = keys.verify(key)
    if (actor === undefined || keyRefusal(actor, flow) !== undefined) return false
    return guesses.takeGood(this.#addressOf(request), key, actor.keyId) === 0
  }

  #addressOf(request: IncomingMessage): string {
    return clientAddress(request, this.#deps.trustsProxy)
  }

  #isGuarded(context: string): boolean {
    const { tree, webhooks } = this.#deps
    if (this.#revision !== tree.revision) {
      this.#revision = tree.revision
      this.#guarded = new Map()
    }
    let isGuarded = this.#guarded.get(context)
    if (isGuarded === undefined) {
      isGuarded = webhooks.isGuarded(context)
      this.#guarded.set(context, isGuarded)
    }
    return isGuarded
  }

  #accept(flow: LiveFlow, request: IncomingMessage, response: ServerResponse, input: Uint8Array): void {
    const { runs, clock, onAccepted } = this.#deps
    const since = clock.stopwatch()
    const start = webhookStart(flow, input, request, request.url!, this.#addressOf(request))
    const starting = mayNameFiles(input) ? this.#startWithFiles(start, flow, request) : runs.start(start)
    starting.then(
      ({ id, isPaused }) => {
        onAccepted((clock.stopwatch() - since) / 1000)
        const within = flow.webhook!.answersWithin
        if (within === null || isPaused === true) this.#answer(response, id)
        else new WaitingResponse(response, id, runs.answers, this.#sendAnswer).wait(within, TAKES_CONNECTION)
      },
      (error) => this.#refuse(error, flow, request, response)
    )
  }

  /** Whoever needs no key and shows a good one gives its files; a wrong one is as good as none, but it counts as a guess. */
  #keyHolder(flow: LiveFlow, request: IncomingMessage): Actor | undefined {
    const key = sentKey(request.headers)?.text ?? ''
    if (key === '') return undefined
    const { keys, guesses } = this.#deps
    const actor = keys.verify(key)
    // It was counted when the request was taken.
    if (askedOfCaller(flow) === 'key') return actor
    const address = this.#addressOf(request)
    const secondsToWait =
      actor === undefined ? guesses.takeWrong(address, key) : guesses.takeGood(address, key, actor.keyId)
    return secondsToWait === 0 ? actor : undefined
  }

  async #startWithFiles(start: Start, flow: LiveFlow, request: IncomingMessage): Promise<AcceptedRun> {
    const { runs } = this.#deps
    const actor = this.#keyHolder(flow, request)
    return runs.start({ ...start, ...(actor && (await filesGivenBy(actor, start.input, this.#deps))) })
  }

  #answer(response: ServerResponse, runId: string): void {
    const { prefix, clock } = this.#deps
    this.#partFrom(response)
    const location = runAddress(prefix, runId)
    const text = startText(runId, 'in progress')
    const isSent =
      response instanceof PlainResponse &&
      response.sendWhole(`${ACCEPTED}Location: ${location}\r\n`, text, this.#date.at(clock.now()))
    if (isSent) return
    response.writeHead(202, { location, ...FIELDS, 'content-length': text.length })
    response.end(text)
  }

  readonly #sendAnswer: SendAnswer = (response, runId, answer) => {
    const { prefix, clock } = this.#deps
    this.#partFrom(response)
    const parts = answerParts(answer, { runId, prefix })
    const { status, headers, body, file } = parts
    const isSent =
      file === undefined &&
      response instanceof PlainResponse &&
      typeof body === 'string' &&
      // Of one that is longer it matters when it has been read.
      body.length <= SHORT_ANSWER &&
      response.sendText(status, headers, body, this.#date.at(clock.now()))
    if (!isSent) sendParts(response, parts, this.#deps)
  }

  /** A caller that is told nothing sends its next request on a connection that is being cut, and never knows of it. */
  #partFrom(response: ServerResponse): void {
    if (this.#deps.isStopping()) response.shouldKeepAlive = false
  }

  #refuse(error: unknown, flow: LiveFlow, request: IncomingMessage, response: ServerResponse): void {
    const isKnown = error instanceof MillraceError
    if (!isKnown) this.#deps.onError(error, 'accepting a webhook')
    const refusal = isKnown ? error : internalError()
    const { status, headers, text } = problemAnswer(refusal)
    const route = `${WEBHOOK_PATHS[0]}:flow`
    const address = this.#addressOf(request)
    this.#deps.refusals.add(refusal.code, status, { method: 'POST', route, address, flow })
    this.#partFrom(response)
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
}

/** Its callers may get the answer while it comes. */
function mayBeStreamed(flow: LiveFlow): boolean {
  return flow.webhook!.answersWithin !== null && flow.streamedAnswers.size > 0
}

const TAKES_CONNECTION = { mayTakeConnection: true }

const FIELDS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff'
}

const ACCEPTED = [
  'HTTP/1.1 202 Accepted',
  ...Object.entries(FIELDS).map(([name, value]) => `${name}: ${value}`),
  ''
].join('\r\n')

/** What follows in the address, as it is. With a query, or encoded, it is the name of no flow: the router reads those. */
function referenceIn(url: string): string | undefined {
  for (const path of WEBHOOK_PATHS) {
    if (url.startsWith(path)) return url.slice(path.length)
  }
  return undefined
}
