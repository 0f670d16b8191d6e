import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { inTurns } from '../../flows/in-turns.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { readPayloadInTurns } from '../../flows/json/read-payload.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { LinkTokens } from '../../keys/link-tokens.ts'
import { readRequest } from '../../runs/record/run-start.ts'
import { takenDeliveries } from '../../runs/record/taken-deliveries.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Delivery } from '../../store/deliveries.ts'
import type { RunStore, StoredRun } from '../../store/store.ts'
import type { WakeResult } from '../../store/waits.ts'
import { PathText, StartAnswer } from '../schemas.ts'
import { LONGEST_IDEMPOTENCY_KEY, namedDeliveries, reusedKey } from '../webhook/deliveries.ts'
import { requestFacts } from '../webhook/request-facts.ts'
import { answerStarted } from '../webhook/start-response.ts'
import { readAsBytes, readBytes } from '../webhook/webhook-body.ts'
import { calledPayload } from './called-payload.ts'
import { LINK_PATHS } from './link-addresses.ts'

interface ResumeDeps {
  readonly runs: Runs
  readonly runStore: Pick<RunStore, 'get' | 'listWaits'>
  readonly linkTokens: LinkTokens
  readonly bodyLimit: number
  readonly prefix: string
}

const PAYLOAD = {
  body: Type.Unknown({
    description:
      'Read as the body of a webhook; a file comes as an object with its bytes in base64. Leaves the node by its output data'
  }),
  types: ['application/json', '*/*'],
  isOptional: true,
  headers: Type.Object({
    'Idempotency-Key': Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_IDEMPOTENCY_KEY,
        description: 'Names the call: the same one sent again is answered 202 again, and changes nothing'
      })
    ),
    Prefer: Type.Optional(Type.String({ description: 'wait=N waits up to N seconds for the run to end' }))
  })
}

/**
 * Where a Wait for call takes its call. It needs no key: the address is known only to whom the flow has sent it. A call
 * counts once, also before the run has come to wait for it.
 */
export function resumeRoute(scope: FastifyInstance, deps: ResumeDeps): void {
  readBytes(scope, deps.bodyLimit, () => false)
  scope.post<{ Params: { token: string } }>(
    `${LINK_PATHS.resume}:token`,
    {
      config: { access: 'public', takes: PAYLOAD },
      bodyLimit: deps.bodyLimit,
      schema: {
        tags: ['Waiting'],
        operationId: 'callRun',
        summary: 'Call a run that waits for it',
        refuses: [
          'link_not_found',
          'wait_over',
          'form_invalid',
          'idempotency_key_invalid',
          'idempotency_key_reused'
        ],
        description:
          'The address is what {$resume.<node>} gives in a template of the same run. It takes one call, also before the run has come to wait: a second call, or one after its time is over, is answered with 410.',
        params: Type.Object({ token: PathText }),
        response: { 202: StartAnswer }
      },
      onRequest: (request, _reply, done) => {
        // Whoever knows no address sends nothing that is kept: the body is not read. One that is too large is told as that, unread as well.
        const { token } = request.params as { token: string }
        const isTooLarge = Number(request.headers['content-length']) > deps.bodyLimit
        if (!isTooLarge && deps.linkTokens.read('resume', token) === undefined) return done(noSuchLink())
        readAsBytes(request)
        done()
      }
    },
    (request, reply) => takeCall(request, reply, deps)
  )
}

async function takeCall(
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  { runs, runStore, linkTokens, bodyLimit, prefix }: ResumeDeps
): Promise<FastifyReply> {
  const target = linkTokens.read('resume', request.params.token)
  if (target === undefined) throw noSuchLink()
  const { runId, node } = target
  const run = await runStore.get(runId)
  if (run === undefined) throw overFor('ended')
  const { input, identity } = await calledPayload(request, { pace: runs.answerPace(), bodyLimit })
  const data = await inTurns(readPayloadInTurns(input), runs.answerPace())
  const deliveries = namedDeliveries(`${runId} ${node}`, request.headers, identity)
  const result = await runs.wake(run, node, {
    by: 'call',
    value: { data, request: factsOf(request), deliveries } as unknown as JsonValue,
    answer: { deliveries } as unknown as JsonValue,
    early: true
  })
  const isRepeated = !result.won && (await isSameCall(run, node, deliveries, runStore))
  if (!result.won && !isRepeated) throw overFor(result.because)
  await answerStarted(request, reply, { run, isRepeated, isEarlier: true, runs, prefix })
  return reply
}

function factsOf({ raw, url, ip: address }: FastifyRequest): JsonValue {
  return readRequest(requestFacts(raw, { url, address, hidden: null })) as unknown as JsonValue
}

/** Whether this very call has been taken: senders send again what was answered, when the answer was lost. */
async function isSameCall(
  { id, seq }: StoredRun,
  node: string,
  deliveries: readonly Delivery[],
  runStore: ResumeDeps['runStore']
): Promise<boolean> {
  if (deliveries.length === 0) return false
  // Read anew: what it was woken with may be younger than what was read before.
  const run = await runStore.get(id)
  const waits = await runStore.listWaits({ kind: 'call', runSeq: seq, limit: 1_000 })
  const taken = run === undefined ? [] : takenDeliveries(run, node, waits)
  const same = taken.find(({ key }) => deliveries.some((delivery) => delivery.key === key))
  if (same === undefined) return false
  const hasOtherBody = deliveries.some(({ key, body }) => key === same.key && body !== same.body)
  if (hasOtherBody) throw reusedKey(id)
  return true
}

type Refusal = Extract<WakeResult, { won: false }>['because']

const OVER: Readonly<Record<Refusal, string>> = {
  ended:
    'The run has ended, or was deleted, and waits for nothing any more. Start a new one, and call the address that it gives out.',
  over: 'The time for this call is over; the run went on without it. Start a new run, or let the node wait for longer.',
  woken:
    'This address has taken its call, and takes no second one. For another call, wait in another node or run.',
  none: 'The run does not wait here.'
}

function overFor(because: Refusal): MillraceError {
  return new MillraceError('wait_over', OVER[because])
}

function noSuchLink(): MillraceError {
  return new MillraceError(
    'link_not_found',
    'Millrace has not given out this address. Check that it was copied as a whole.'
  )
}
