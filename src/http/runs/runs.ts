import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { FlowDocument } from '../../flows/document/flow-document.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { canSee, seesAll } from '../../keys/rights.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { endOrOutsideWait } from '../../runs/end-or-outside-wait.ts'
import { Run, RunSummary } from '../../runs/present/run-shape.ts'
import type { RunStatus } from '../../runs/present/run-status.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Pins } from '../../runs/steps/pins.ts'
import type { StoredRun } from '../../store/store.ts'
import { actorOf, mayRead, visibleFlow } from '../access/access.ts'
import { readableDocument } from '../flows/flow-access.ts'
import { testOf } from '../flows/test-draft.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { IdParams, notShown, PathText, StartAnswer, textOf } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import type { WaitDetailsDeps } from '../waiting/wait-details.ts'
import { LONGEST_WAIT_SECONDS } from '../webhook/prefer.ts'
import { answerStarted } from '../webhook/start-response.ts'
import { OwnRun, ownRun } from './own-run.ts'
import { againOf, Input, inputOf, sendRun, toBytes } from './run-input.ts'
import { ChildCounts, Query } from './run-list-schema.ts'
import { childrenOf, cursorOf, flowIdsOf, timeOf } from './run-query.ts'
import { MOST_WHOLE_RUNS, wholeRun, wholeRuns } from './whole-runs.ts'

interface RunRoutesDeps extends WaitDetailsDeps {
  readonly runs: Runs
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly prefix: string
  readonly catalogue: Pick<Catalogue, 'find'>
  /** The largest body with a payload in it. */
  readonly payloadLimit: number
}

const tags = ['Runs']

/** Of one request that searches for text. Searching goes on with the next one, as long as somebody wants it. */
const SEARCH_EFFORT = { runs: 100_000, ms: 2_000 }

const EditedInput = Type.Object(
  { input: Type.Optional(Type.Unknown({ description: "Runs instead of the run's own payload" })) },
  { additionalProperties: false }
)

/** Runs: list, read, cancel, retry, replay; and running a flow while the caller waits. */
export function runRoutes(app: FastifyInstance, deps: RunRoutesDeps): void {
  listRunsRoute(app, deps)
  readRunRoute(app, deps)
  readRunInputRoute(app, deps)
  readRunDocumentRoute(app, deps)
  cancelRunRoute(app, deps)
  retryRunRoute(app, deps)
  withExactJson(app, (scope) => payloadRoutes(scope, deps))
}

function listRunsRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  app.get<{ Querystring: Query }>(
    '/api/v1/runs',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listRuns',
        summary: 'List runs, newest first',
        refuses: ['run_not_found'],
        querystring: Query,
        response: {
          200: Type.Object({
            runs: Type.Array(Type.Union([Run, RunSummary])),
            next_cursor: Type.Union([Type.String(), Type.Null()]),
            counts: Type.Optional(ChildCounts)
          })
        }
      }
    },
    async (request, reply) => {
      const page = await listRuns(request, request.query, deps)
      if (request.query.steps !== 'true') return page
      return sendJson(reply, await wholeRuns(request, page, deps), deps.runs.readPiece)
    }
  )
}

function readRunRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/runs/:id',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readRun',
        summary: 'Read a run',
        refuses: ['run_not_found'],
        params: IdParams,
        response: { 200: Run }
      }
    },
    async (request, reply) => {
      const run = await visibleRun(request, deps)
      return sendJson(reply, await wholeRun(request, run, deps), deps.runs.readPiece)
    }
  )
}

function readRunInputRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/runs/:id/input',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readRunInput',
        summary: 'What was sent to start a run, byte for byte',
        refuses: ['run_not_found'],
        description: 'The run itself shows the payload that was read from it.',
        params: IdParams,
        response: { 200: textOf('text/plain', 'The body, as it came') }
      }
    },
    async (request, reply) => {
      const { input } = await visibleRun(request, deps)
      return reply.header('content-type', 'text/plain; charset=utf-8').send(Buffer.from(input))
    }
  )
}

function readRunDocumentRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/runs/:id/document',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readRunDocument',
        summary: 'The flow as the run runs it',
        refuses: ['flow_not_found', 'run_not_found', 'version_not_found'],
        description: 'Of a test the draft as it was when the test began, else the version of the run.',
        params: IdParams,
        response: { 200: FlowDocument }
      }
    },
    async (request) => {
      const document = await deps.runs.documentOf(await visibleRun(request, deps))
      return readableDocument(request, document, deps.catalogue)
    }
  )
}

function cancelRunRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  app.post<{ Params: { id: string } }>(
    '/api/v1/runs/:id/cancel',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'cancelRun',
        summary: 'Cancel a run',
        refuses: ['run_not_found', 'run_already_ended', 'run_has_parent'],
        params: IdParams,
        response: { 200: Run, 204: notShown() }
      }
    },
    async (request, reply) => {
      await deps.runs.cancel(await visibleRun(request, deps))
      if (!mayRead(request)) return reply.code(204).send()
      return sendRun(reply, deps.runs, await deps.runs.get(request.params.id))
    }
  )
}

function retryRunRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  app.post<{ Params: { id: string } }>(
    '/api/v1/runs/:id/retry',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'retryRun',
        summary: 'Go on from the failed step',
        refuses: ['run_not_found', 'run_not_retryable', 'run_has_parent', 'backlog_full'],
        description: 'On the version that the run started with; steps that succeeded are not run again.',
        params: IdParams,
        response: { 202: StartAnswer }
      }
    },
    async (request, reply) => {
      const run = await visibleRun(request, deps)
      await deps.runs.retry(run)
      return answerStarted(request, reply, { ...deps, run })
    }
  )
}

/** Routes that take a payload, whose numbers keep every digit. */
function payloadRoutes(app: FastifyInstance, deps: RunRoutesDeps): void {
  const { runs, library, payloadLimit: bodyLimit } = deps

  app.post<{ Params: { id: string }; Body: { input?: JsonValue } | undefined }>(
    '/api/v1/runs/:id/replay',
    {
      config: { access: 'trigger', takes: { body: EditedInput, isOptional: true } },
      bodyLimit,
      schema: {
        tags,
        operationId: 'replayRun',
        summary: 'Run the same input again',
        refuses: [
          'run_not_found',
          'run_has_parent',
          'flow_not_found',
          'flow_invalid',
          'flow_paused',
          'flow_context_gone',
          'backlog_full'
        ],
        description:
          'A new run on the live version, or of the draft where it was a test. Send {"input": …} to run an edited input.',
        params: IdParams,
        response: { 202: StartAnswer }
      }
    },
    async (request, reply) => {
      const before = await visibleRun(request, deps)
      const flow = visibleFlow(request, library, before.flowId)
      const edited = inputOf(request.body)
      const input = edited === undefined ? before.input : toBytes(edited)
      const run =
        before.isTest === true
          ? await runs.startTest({ ...(await testOf(request, flow, deps)), ...againOf(before), input })
          : await runs.replay(before, flow, input)
      return answerStarted(request, reply, { ...deps, run })
    }
  )

  app.post<{ Params: { flow: string }; Body: { input?: JsonValue } | undefined }>(
    '/api/v1/run/:flow',
    {
      config: { access: 'trigger', takes: { body: Input, isOptional: true } },
      bodyLimit,
      schema: {
        tags,
        operationId: 'runFlow',
        summary: 'Run a flow and wait for its end',
        refuses: ['flow_not_found', 'flow_paused', 'flow_context_gone', 'backlog_full'],
        description: `Answers the finished run. A run that takes longer than ${LONGEST_WAIT_SECONDS} s, that waits for a call or an answer (also in a run that it waits for), or that is held because its flow is paused, is answered as it stands, with 202. A key without the right read gets what is told of the run itself, and of each step what it put out.`,
        params: Type.Object({ flow: PathText }),
        response: { 200: Type.Union([Run, OwnRun]), 202: Type.Union([Run, OwnRun]) }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.flow)
      const caller = { key: actorOf(request).name, address: request.ip }
      library.aliasCalls.add(flow, request.params.flow, caller)
      const run = await runs.start({ flow, trigger: 'api', input: toBytes(inputOf(request.body) ?? null) })
      const ms = LONGEST_WAIT_SECONDS * 1000
      const ended = run.isPaused ? undefined : await endOrOutsideWait(run, flow.document.nodes, ms, runs)
      reply.code(ended === undefined ? 202 : 200)
      const now = await runs.get(run.id)
      if (mayRead(request)) return sendRun(reply, runs, now)
      return sendJson(reply, ownRun(await runs.present(now)), runs.readPiece)
    }
  )
}

async function listRuns(request: FastifyRequest, query: Query, deps: RunRoutesDeps) {
  const { runs, library } = deps
  const { q, status } = query
  const limit = Math.min(query.limit ?? 50, query.steps === 'true' ? MOST_WHOLE_RUNS : Infinity)
  const cursor = cursorOf(query.cursor)
  const since = timeOf(query.since, 'since')
  const until = timeOf(query.until, 'until')
  const flowIds = flowIdsOf(request, query.flow_id, library)
  const parent = query.parent === undefined ? undefined : await visibleRunOf(request, query.parent, deps)
  const { runs: found, next } = await runs.list({
    limit,
    ...(flowIds === undefined ? {} : { flowIds }),
    ...(status === undefined ? {} : { status: status as RunStatus }),
    ...(q === undefined ? {} : { text: q, effort: SEARCH_EFFORT }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(query.test === undefined ? {} : { isTest: query.test === 'true' }),
    ...(parent === undefined ? {} : { parentSeq: parent.seq, ...childrenOf(query) }),
    ...(cursor === undefined ? {} : { before: cursor })
  })
  const page = { runs: found, next_cursor: next === null ? null : String(next) }
  if (query.counts !== 'true' || parent === undefined || query.node === undefined) return page
  return { ...page, counts: await runs.countChildren(parent.seq, query.node) }
}

/** A run is seen by whoever sees its flow; that of a deleted flow only by a key that sees everything. */
export async function visibleRun(
  request: FastifyRequest<{ Params: { id: string } }>,
  deps: Pick<RunRoutesDeps, 'runs' | 'library'>
): Promise<StoredRun> {
  return visibleRunOf(request, request.params.id, deps)
}

async function visibleRunOf(
  request: FastifyRequest,
  id: string,
  { runs, library }: Pick<RunRoutesDeps, 'runs' | 'library'>
): Promise<StoredRun> {
  const run = await runs.get(id)
  const flow = library.find(run.flowId)
  const actor = actorOf(request)
  if (seesAll(actor) || (flow !== undefined && canSee(actor, flow))) return run
  return runs.get('')
}
