import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { MillraceError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type Actor, may } from '../../keys/rights.ts'
import type { TestAddressTokens } from '../../keys/test-address-tokens.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { webhookEntry } from '../../library/webhook-entry.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Pins } from '../../runs/steps/pins.ts'
import { actorOf, forbidden, visibleFlow } from '../access/access.ts'
import { documentUpTo } from '../flows/document-up-to.ts'
import { type Edited, nodeIds } from '../flows/edited-node.ts'
import { assertMayPut } from '../flows/flow-access.ts'
import { IdParams, PathText, StartAnswer } from '../schemas.ts'
import type { OwnAddress } from '../waiting/own-address.ts'
import { answersInBody } from './answer-question.ts'
import { payloadOf } from './payload/payload-of.ts'
import type { RateLimits } from './rate-limiter.ts'
import { requestFacts } from './request-facts.ts'
import { answerStarted } from './start-response.ts'
import { readAsBytes, readBytes } from './webhook-body.ts'
import { PAYLOAD } from './webhook-description.ts'
import { keepToLimit, withoutWebhook } from './webhook-refusals.ts'

interface TestAddressDeps {
  readonly testAddresses: TestAddressTokens
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly runs: Runs
  readonly files: Pick<Files, 'keep' | 'letGo' | 'limit'>
  readonly limiter: RateLimits
  readonly ownAddress: Pick<OwnAddress, 'base'>
  readonly clock: Pick<Clock, 'now'>
  readonly bodyLimit: number
  readonly prefix: string
}

const PATH = '/api/v1/test-webhook/'
/** Whoever sets a sender up needs some minutes, and a forgotten address is to lead nowhere. */
const LASTS_MS = 3_600_000
const PER_MINUTE = 60

/** Makes an address at which requests try the draft, before anything of it is live. */
export function openTestAddressRoute(app: FastifyInstance, deps: TestAddressDeps): void {
  const { library, drafts, testAddresses, ownAddress, clock } = deps
  app.post<{ Params: { id: string } }>(
    '/api/v1/flows/:id/draft/address',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Drafts'],
        operationId: 'openTestAddress',
        summary: 'Make an address at which requests try the draft',
        refuses: ['flow_not_found', 'flow_without_webhook'],
        description:
          'For an hour each request to it, by any method, starts a test of the draft, or of what is live where there is none, and is answered like a webhook. Whoever has the address needs no key and no signature. Needs the rights write and trigger.',
        params: IdParams,
        response: { 201: Type.Object({ address: Type.String(), expires_at: Time }) }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const edited = (await drafts.find(flow))?.document ?? flow.document
      assertMayTry(actorOf(request), flow, edited)
      if (webhookId(edited, library) === undefined) throw withoutWebhook(flow)
      const expiresAt = clock.now() + LASTS_MS
      const token = testAddresses.write({ flowId: flow.id, expiresAt })
      const base = ownAddress.base ?? deps.prefix
      return reply.code(201).send({ address: `${base}${PATH}${token}`, expires_at: timeText(expiresAt) })
    }
  )
}

function assertMayTry(actor: Actor, flow: LiveFlow, { context }: Edited): void {
  for (const right of ['write', 'trigger'] as const) if (!may(actor, right)) throw forbidden(actor, right)
  assertMayPut(actor, flow, context)
}

/** Of a draft, which may be anything. */
function webhookId({ nodes, context }: Edited, { surroundings }: FlowLibrary): string | undefined {
  const isWebhook = (type: unknown) =>
    typeof type === 'string' && surroundings.catalogue.find(String(context), type)?.trigger === 'webhook'
  const found = nodes.find((node) => 'type' in node && isWebhook(node.type))
  return found !== undefined && 'id' in found ? String(found.id) : undefined
}

/** The address itself. */
export function testWebhooks(scope: FastifyInstance, deps: TestAddressDeps): void {
  readBytes(scope, deps.bodyLimit)
  const serve = (method: string | string[], schema: object, takes: { takes?: typeof PAYLOAD } = {}) =>
    scope.route<{ Params: { token: string } }>({
      method,
      url: `${PATH}:token`,
      bodyLimit: deps.bodyLimit,
      config: { access: 'public', ...takes },
      exposeHeadRoute: false,
      schema,
      // Whoever knows no address sends nothing that is kept: the body is not read. One that is too large is told as that, unread as well.
      onRequest: (request, _reply, done) => {
        try {
          const isTooLarge = Number(request.headers['content-length']) > deps.bodyLimit
          if (!isTooLarge) flowOf((request.params as { token: string }).token, deps)
          readAsBytes(request)
          done()
        } catch (error) {
          done(error as Error)
        }
      },
      handler: (request, reply) => take(request, reply, deps)
    })
  const posted = {
    tags: ['Drafts'],
    operationId: 'tryDraftByRequest',
    summary: 'Try a draft with a request',
    refuses: ['link_not_found', 'test_address_over', 'flow_without_webhook', 'flow_invalid', 'rate_limited'],
    description: `The address is what POST /api/v1/flows/{id}/draft/address gives. It takes ${PER_MINUTE} requests a minute, by any method and of any type, as a webhook reads them; signatures, schemas and methods are not checked. The run is a test.`,
    params: Type.Object({ token: PathText }),
    response: { 202: StartAnswer }
  }
  serve('POST', posted, { takes: PAYLOAD })
  serve(['GET', 'PUT', 'PATCH', 'DELETE'], { hide: true, response: { 202: StartAnswer } })
}

function flowOf(token: string, { testAddresses, library, clock }: TestAddressDeps): LiveFlow {
  const target = testAddresses.read(token)
  const flow = target === undefined ? undefined : library.find(target.flowId)
  if (target === undefined || flow === undefined) throw noSuchAddress()
  if (target.expiresAt <= clock.now()) throw addressOver()
  return flow
}

async function take(
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  deps: TestAddressDeps
): Promise<FastifyReply> {
  const { runs, limiter, prefix } = deps
  const { token } = request.params
  const flow = flowOf(token, deps)
  keepToLimit(flow, await limiter.take(`${flow.id} test`, PER_MINUTE), reply)
  const { document, version, scope } = await testedBy(flow, deps)
  const { catalogue, defaults } = deps.library.surroundings
  const webhook = webhookEntry(document, catalogue, defaults)
  if (answersInBody(request, reply, { webhook })) return reply
  const sent = await payloadOf(request, { context: flow.context, webhook }, deps)
  const facts = requestFacts(request.raw, {
    url: `${prefix}${PATH}address${queryOf(request.url)}`,
    address: request.ip,
    tellsProofs: true,
    hidden: webhook?.hidden ?? null
  })
  const { id, paused } = flow
  const run = await runs.startTest({
    flow: { id, paused, version },
    document,
    scope,
    trigger: 'webhook',
    input: sent.input,
    // Runs are read by more people than may try drafts; proxies tell the address that they were asked for.
    request: facts.replaceAll(token, 'address'),
    ...(sent.files.length > 0 && { files: sent.files })
  })
  return answerStarted(request, reply, { run, runs, prefix })
}

/** Written in another way the address is the same one, so none of it is kept. */
function queryOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark)
}

/** All of the draft where it is sound; else its Webhook and what leads there, so that a flow can begin with what arrives. */
async function testedBy(flow: LiveFlow, { library, drafts, pins }: TestAddressDeps) {
  const draft = await drafts.find(flow)
  const edited = draft?.document ?? flow.document
  const webhook = webhookId(edited, library)
  if (webhook === undefined) throw withoutWebhook(flow)
  const check = (part: unknown) => library.check(part, undefined)
  const { catalogue } = library.surroundings
  const document = await documentUpTo(edited, webhook, { check, catalogue }).catch((error) => {
    // Whoever sends a request edits nothing: what is wrong is told in the editor.
    throw error instanceof MillraceError && error.code === 'flow_invalid' ? draftUnsound(flow) : error
  })
  const pinned = await pins.ofNodes(flow, nodeIds(document))
  const scope = { pins: Object.fromEntries(pinned.map(({ node, outputs }) => [node, outputs])), upTo: null }
  return { document, version: draft?.baseVersion ?? flow.version, scope }
}

function draftUnsound({ slug }: LiveFlow): MillraceError {
  return new MillraceError(
    'flow_invalid',
    `The draft of flow "${slug}" cannot run as it is: the editor says what is wrong with it.`
  )
}

function noSuchAddress(): MillraceError {
  return new MillraceError(
    'link_not_found',
    'Millrace has not given out this address. Check that it was copied as a whole.'
  )
}

function addressOver(): MillraceError {
  return new MillraceError(
    'test_address_over',
    'The time of this test address is over. Make another one in the editor, or publish the flow and use its own address.'
  )
}
