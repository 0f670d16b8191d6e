import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { isPlainObject, type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { type DraftDocument, readDraftInTurns } from '../../flows/validate/draft-document.ts'
import { may } from '../../keys/rights.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowInvalid } from '../../library/flow-refusals.ts'
import { soundDocument } from '../../library/judge-flow.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { endOrOutsideWait } from '../../runs/end-or-outside-wait.ts'
import { Run } from '../../runs/present/run-shape.ts'
import type { Start, TestStart } from '../../runs/record/new-run.ts'
import { runNotFound } from '../../runs/run-refusals.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Pins } from '../../runs/steps/pins.ts'
import { actorOf, forbidden, mayRead, visibleFlow } from '../access/access.ts'
import { type FileAccessDeps, filesGivenBy } from '../files/file-access.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { againOf, Input, inputOf, sendRun, toBytes } from '../runs/run-input.ts'
import { IdParams, notShown } from '../schemas.ts'
import { LONGEST_WAIT_SECONDS } from '../webhook/prefer.ts'
import { documentUpTo } from './document-up-to.ts'
import { nodeIds, nodeOf } from './edited-node.ts'
import { assertMayPut, knownTo, toldToReaders } from './flow-access.ts'
import { DraftDocumentSent } from './sent-document.ts'

interface TestDraftDeps extends FileAccessDeps {
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly runs: Runs
  /** The largest body with a payload in it. */
  readonly payloadLimit: number
}

/** What it takes to know what a test runs. */
export type TestedDeps = Pick<TestDraftDeps, 'library' | 'drafts' | 'pins'>

interface Sent {
  readonly input?: JsonValue
  readonly run_id?: JsonValue
  readonly node?: JsonValue
  readonly document?: JsonValue
}

const Sent = Type.Object(
  {
    ...Input.properties,
    run_id: Type.Optional(
      Type.String({
        description:
          'A run of this flow: what started it is tried again, with its request and, unless "input" is there, its payload'
      })
    ),
    node: Type.Optional(
      Nullable(
        Type.String({
          description: 'Only this node and all that leads to it is run; every other is skipped'
        })
      )
    ),
    document: Type.Optional({
      ...DraftDocumentSent,
      description: 'Tried in the place of the draft, and kept nowhere but in the run'
    })
  },
  { additionalProperties: false }
)

/** Trying the draft out, with a payload. */
export function testDraftRoute(app: FastifyInstance, deps: TestDraftDeps): void {
  const { library, runs, payloadLimit } = deps
  withExactJson(app, (scope) => {
    scope.post<{ Params: { id: string }; Body: Sent | undefined }>(
      '/api/v1/flows/:id/test',
      {
        config: { access: 'write', takes: { body: Sent, isOptional: true } },
        bodyLimit: payloadLimit,
        schema: {
          tags: ['Drafts'],
          operationId: 'testDraft',
          summary: 'Run the draft and wait for its end',
          refuses: [
            'flow_not_found',
            'run_not_found',
            'node_not_found',
            'flow_invalid',
            'flow_paused',
            'backlog_full'
          ],
          description: `Or what is live, where there is no draft. Answers the finished run, which is marked as a test and no part of stats and metrics; one that takes longer than ${LONGEST_WAIT_SECONDS} s, or waits for a call or an answer, is answered as it stands, with 202. Nodes whose outputs are pinned are not run. A draft with faults is refused with 422. Needs the rights write and trigger.`,
          params: IdParams,
          response: { 200: Run, 202: Run, 204: notShown() }
        }
      },
      async (request, reply) => {
        const flow = visibleFlow(request, library, request.params.id)
        const start = await startOf(request, flow, deps)
        const test = await testOf(request, flow, deps, {
          upTo: upToOf(request.body),
          document: await documentOf(request.body, flow, library)
        })
        const run = await runs.startTest({ ...test, ...start })
        const ended = await endOrOutsideWait(run, test.document.nodes, LONGEST_WAIT_SECONDS * 1000, runs)
        if (!mayRead(request)) return reply.code(204).send()
        return sendRun(reply.code(ended === undefined ? 202 : 200), runs, await runs.get(run.id))
      }
    )
  })
}

/** What the test begins with: a payload, or all that another run of the flow began with. */
async function startOf(
  request: FastifyRequest<{ Body: Sent | undefined }>,
  flow: LiveFlow,
  deps: TestDraftDeps
): Promise<Omit<Start, 'flow'>> {
  const sent = request.body
  const edited = inputOf(sent, ['run_id', 'node', 'document'])
  const { run_id: id } = sent ?? {}
  const input = toBytes(edited ?? null)
  const given = edited === undefined ? {} : await filesGivenBy(actorOf(request), input, deps)
  if (id === undefined) return { trigger: 'api', input, ...given }
  const copied = await deps.runs.get(String(id))
  if (copied.flowId !== flow.id) throw runNotFound()
  const again = edited === undefined ? copied.input : input
  return { ...againOf(copied), input: again, ...(await deps.runs.filesAgain(copied, again, given)) }
}

/** The node that the test is to end at; null where it runs all. */
function upToOf({ node }: Sent = {}): string | null {
  if (node === undefined || node === null) return null
  if (typeof node === 'string') return node
  throw new MillraceError('invalid_request', 'Send "node" as the id of a node, or leave it out.')
}

/** Read as a draft is. Its numbers are those of JavaScript there, and exact in the payload beside it. */
async function documentOf(
  { document }: Sent = {},
  flow: LiveFlow,
  library: FlowLibrary
): Promise<DraftDocument | undefined> {
  if (document === undefined) return undefined
  if (!isPlainObject(document))
    throw new MillraceError('invalid_request', 'Send "document" as a flow document, or leave it out.')
  const plain = JSON.parse(writeJson(document)) as Record<string, unknown>
  const kept = { slug: plain.slug ?? flow.slug, context: plain.context ?? flow.context }
  const read = await library.inTurns(readDraftInTurns({ ...plain, ...kept }))
  if (read.document === undefined) throw flowInvalid(read.faults)
  return read.document
}

/**
 * What a test runs: the draft, or what is live where there is none. Who tries it out has to be allowed to write it, since nobody has
 * published it yet, and to put the flow where it says that it lives: its steps see what there is to see there.
 */
export async function testOf(
  request: FastifyRequest,
  flow: LiveFlow,
  { library, drafts, pins }: TestedDeps,
  {
    upTo = null,
    document: sent
  }: { readonly upTo?: string | null; readonly document?: DraftDocument | undefined } = {}
): Promise<Pick<TestStart, 'flow' | 'document' | 'scope'>> {
  const actor = actorOf(request)
  for (const right of ['write', 'trigger'] as const) if (!may(actor, right)) throw forbidden(actor, right)
  const draft = await drafts.find(flow)
  const tested = sent ?? draft?.document ?? flow.document
  assertMayPut(actor, flow, tested.context)
  if (upTo !== null) nodeOf(tested, upTo, flow)
  const check = (sent: unknown) => library.check(sent, knownTo(request, library))
  const document = await toldToReaders(request, async () =>
    upTo === null
      ? soundDocument(await check(tested))
      : documentUpTo(tested, upTo, { check, catalogue: library.surroundings.catalogue })
  )
  const { id, paused, version } = flow
  const pinned = await pins.ofNodes(flow, nodeIds(document))
  const scope = { pins: Object.fromEntries(pinned.map(({ node, outputs }) => [node, outputs])), upTo }
  return { flow: { id, paused, version: draft?.baseVersion ?? version }, document, scope }
}
