import type { FastifyInstance } from 'fastify'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { endOrOutsideWait } from '../../runs/end-or-outside-wait.ts'
import { Run } from '../../runs/present/run-shape.ts'
import { actorOf, mayRead, visibleFlow } from '../access/access.ts'
import { filesGivenBy } from '../files/file-access.ts'
import { testOf } from '../flows/test-draft.ts'
import { IdParams, PathText, StartAnswer } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { LONGEST_WAIT_SECONDS } from '../webhook/prefer.ts'
import { answerStarted } from '../webhook/start-response.ts'
import { replayFromCallRoute } from './conversation.ts'
import { assertMayRunIn } from './may-run-in.ts'
import { OwnRun, ownRun } from './own-run.ts'
import { againOf, Input, inputOf, sendRun, toBytes } from './run-input.ts'
import type { RunRoutesDeps } from './run-routes-deps.ts'
import { visibleRun } from './visible-run.ts'

const tags = ['Runs']

const EditedInput = Type.Object(
  { input: Type.Optional(Type.Unknown({ description: "Runs instead of the run's own payload" })) },
  { additionalProperties: false }
)

/** Routes that take a payload, whose numbers keep every digit. */
export function payloadRoutes(app: FastifyInstance, deps: RunRoutesDeps): void {
  replayRunRoute(app, deps)
  replayFromCallRoute(app, deps)
  runFlowRoute(app, deps)
}

function replayRunRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
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
      assertMayRunIn(actorOf(request), before.context)
      const edited = inputOf(request.body)
      const input = edited === undefined ? before.input : toBytes(edited)
      const given = edited === undefined ? {} : await filesGivenBy(actorOf(request), input, deps)
      const files = await runs.filesAgain(before, input, given)
      const run =
        before.isTest === true
          ? await runs.startTest({
              ...(await testOf(request, flow, deps)),
              ...againOf(before),
              input,
              ...files
            })
          : await runs.replay(before, flow, input, files)
      return answerStarted(request, reply, { ...deps, run })
    }
  )
}

function runFlowRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
  const { runs, library, payloadLimit: bodyLimit } = deps
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
      const input = toBytes(inputOf(request.body) ?? null)
      const files = await filesGivenBy(actorOf(request), input, deps)
      const run = await runs.start({ flow, trigger: 'api', input, ...files })
      const ms = LONGEST_WAIT_SECONDS * 1000
      const ended = run.isPaused ? undefined : await endOrOutsideWait(run, flow.document.nodes, ms, runs)
      reply.code(ended === undefined ? 202 : 200)
      const now = await runs.get(run.id)
      if (mayRead(request)) return sendRun(reply, runs, now)
      return sendJson(reply, ownRun(await runs.present(now)), runs.readPiece)
    }
  )
}
