import type { FastifyReply, FastifyRequest } from 'fastify'
import { mayNameFiles } from '../../flows/file-ids.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { withoutContext } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Delivery } from '../../store/deliveries.ts'
import type { NamedFiles } from '../../store/files.ts'
import type { AcceptedRun } from '../../store/store.ts'
import { isAlias } from './admission.ts'
import { assertSigned } from './admit-caller.ts'
import { answersInBody } from './answer-question.ts'
import { answerByFlow } from './answers/answer-caller.ts'
import { deliveriesOf, reusedKey } from './deliveries.ts'
import { filesOfCaller } from './files-of-caller.ts'
import { checkPayload } from './payload/check-payload.ts'
import { payloadOf } from './payload/payload-of.ts'
import { lettingGo, type SentPayload } from './payload/sent-payload.ts'
import type { RateVerdict } from './rate-limiter.ts'
import { webhookStart } from './request-facts.ts'
import { answerStarted } from './start-response.ts'
import type { WebhookDeps } from './webhook-deps.ts'
import { assertMethod, keepToLimit, withoutWebhook } from './webhook-refusals.ts'

/** Takes a request that was let in: when it is on disk, with all that came with it, its run begins. */
export function acceptWebhook(request: FastifyRequest, reply: FastifyReply, deps: WebhookDeps): void {
  const flow = request.webhookFlow!
  const { webhook } = flow
  if (webhook === null) throw flow.isWithoutContext ? withoutContext(flow) : withoutWebhook(flow)
  if (webhook.auth === 'Signature') assertSigned(request, webhook, deps)
  request.isAdmitted = true
  if (answersInBody(request, reply, flow)) return
  assertMethod(request, flow)
  countAlias(request, flow, deps)
  const verdict = webhook.rateLimit > 0 ? deps.limiter.take(flow.id, webhook.rateLimit) : undefined
  if (verdict instanceof Promise) {
    verdict
      .then((told) => start(request, reply, deps, { flow, verdict: told }))
      .catch((error) => reply.send(error))
  } else {
    start(request, reply, deps, { flow, verdict })
  }
}

/** Whoever wants to end a former slug asks who still calls it. */
function countAlias(request: FastifyRequest, flow: LiveFlow, { library, callers }: WebhookDeps): void {
  const { flow: reference } = request.params as { flow: string }
  if (!isAlias(reference, flow)) return
  const actor = flow.webhook?.auth === 'API key' ? callers.identify(request) : undefined
  library.aliasCalls.add(flow, reference, { key: actor?.name ?? null, address: request.ip })
}

interface Admitted {
  readonly flow: LiveFlow
  /** Undefined where the flow has no limit. */
  readonly verdict: RateVerdict | undefined
}

function start(request: FastifyRequest, reply: FastifyReply, deps: WebhookDeps, admitted: Admitted): void {
  const { flow, verdict } = admitted
  if (verdict !== undefined) keepToLimit(flow, verdict, reply)
  const payload = fittingPayload(request, flow, deps)
  if (payload instanceof Promise) {
    payload
      .then((sent) => startWith(request, reply, deps, { flow, sent }))
      .catch((error) => reply.send(error))
  } else {
    startWith(request, reply, deps, { flow, sent: payload })
  }
}

/** What was sent, where it fits the schema that the flow may have. */
function fittingPayload(
  request: FastifyRequest,
  flow: LiveFlow,
  deps: WebhookDeps
): SentPayload | Promise<SentPayload> {
  const payload = payloadOf(request, flow, deps)
  const schema = flow.webhook?.schema ?? null
  if (schema === null) return payload
  const check = async (sent: SentPayload) => {
    await lettingGo(sent.files, deps.files, () =>
      inTurns(checkPayload(schema, sent.input), deps.runs.answerPace())
    )
    return sent
  }
  return payload instanceof Promise ? payload.then(check) : check(payload)
}

interface Received {
  readonly flow: LiveFlow
  readonly sent: SentPayload
}

function startWith(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: WebhookDeps,
  received: Received
): void {
  const { flow, sent } = received
  const { runs, prefix } = deps
  const since = deps.clock.stopwatch()
  const given = webhookStart(flow, sent.input, request.raw, request.url, request.ip)
  const answer = (run: Pick<AcceptedRun, 'id' | 'isPaused'>, isRepeated: boolean) => {
    if (!isRepeated) deps.onAccepted((deps.clock.stopwatch() - since) / 1000)
    const within = flow.webhook!.answersWithin
    // Nobody knows when its flow is resumed.
    if (within === null || run.isPaused === true)
      answerStarted(request, reply, { run, isRepeated, runs, prefix })
    else answerByFlow(request, reply, { ...deps, flow, runId: run.id, isRepeated, within })
  }
  const startAs = (deliveries: readonly Delivery[], named: NamedFiles = {}) =>
    deliveries.length === 0
      ? runs.start({ ...given, ...named }).then((run) => answer(run, false))
      : runs.startOnce({ ...given, ...named }, deliveries).then((acceptance) => {
          if (acceptance.verdict === 'other body') throw reusedKey(acceptance.runId)
          if (acceptance.verdict === 'duplicate') answer({ id: acceptance.runId }, true)
          else answer(acceptance.run, false)
        })
  const deliveries = namesOf(request, deps, received)
  const named = filesOf(request, deps, received)
  const { answersWithin } = flow.webhook!
  const release =
    answersWithin === null || flow.streamedAnswers.size === 0 ? undefined : runs.answerText.expect(flow.id)
  const answered =
    deliveries instanceof Promise || named !== undefined
      ? Promise.all([deliveries, named]).then(([names, files]) => startAs(names, files))
      : startAs(deliveries)
  answered.catch((error) => reply.send(error)).finally(release)
}

/** What the request is known by if it comes again. Where that cannot be told it is refused, and its files go. */
function namesOf(
  { headers }: FastifyRequest,
  { runs, files, clock }: WebhookDeps,
  { flow, sent }: Received
): readonly Delivery[] | Promise<readonly Delivery[]> {
  const named = () => inTurns(deliveriesOf(flow, headers, sent, clock.now()), runs.answerPace())
  return sent.files.length === 0 ? named() : lettingGo(sent.files, files, named)
}

/** Those that came with it, or those that are there already and that it names; undefined where there are none. */
function filesOf(
  request: FastifyRequest,
  deps: WebhookDeps,
  { flow, sent: { input, files } }: Received
): NamedFiles | Promise<NamedFiles> | undefined {
  if (files.length > 0) return { files }
  return mayNameFiles(input) ? filesOfCaller(request, flow, input, deps) : undefined
}
