import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import { FlowDocument } from '../../flows/document/flow-document.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { ChosenItems } from '../../runs/items-again.ts'
import { Run } from '../../runs/present/run-shape.ts'
import { mayRead } from '../access/access.ts'
import { readableDocument } from '../flows/flow-access.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { IdParams, notShown, StartAnswer, textOf } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { answerStarted } from '../webhook/start-response.ts'
import { conversationRoute } from './conversation.ts'
import { listRunsRoute } from './list-runs.ts'
import { sendRun } from './run-input.ts'
import type { RunRoutesDeps } from './run-routes-deps.ts'
import { payloadRoutes } from './start-runs.ts'
import { visibleRun } from './visible-run.ts'
import { wholeRun } from './whole-runs.ts'

const tags = ['Runs']

const Chosen = Type.Object(
  {
    node: Type.Optional(
      Type.String({ maxLength: 200, description: 'A For each; all of the run where it is left out' })
    ),
    items: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 100_000 }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Which of the items that failed, by their place in the list; all where it is left out'
      })
    )
  },
  { additionalProperties: false, description: 'Of a run that succeeded: which items run again' }
)

/** All of its members may be left out, and so may the body. */
const bodyOrNone: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}

/** Runs: list, read, cancel, retry, replay; and running a flow while the caller waits. */
export function runRoutes(app: FastifyInstance, deps: RunRoutesDeps): void {
  listRunsRoute(app, deps)
  readRunRoute(app, deps)
  readRunInputRoute(app, deps)
  readRunDocumentRoute(app, deps)
  conversationRoute(app, deps)
  cancelRunRoute(app, deps)
  retryRunRoute(app, deps)
  withExactJson(app, (scope) => payloadRoutes(scope, deps))
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
  app.post<{ Params: { id: string }; Body: ChosenItems }>(
    '/api/v1/runs/:id/retry',
    {
      config: { access: 'write', takes: { body: Nullable(Chosen), isOptional: true } },
      preValidation: bodyOrNone,
      schema: {
        tags,
        operationId: 'retryRun',
        summary: 'Go on from the failed step',
        refuses: ['run_not_found', 'flow_not_found', 'run_not_retryable', 'run_has_parent', 'backlog_full'],
        description:
          'On the version that the run started with; steps that succeeded are not run again. Of a run that succeeded with items that failed, those run again, and what follows them runs with the new results.',
        params: IdParams,
        body: Chosen,
        response: { 202: StartAnswer }
      }
    },
    async (request, reply) => {
      const run = await visibleRun(request, deps)
      await deps.runs.retry(run, request.body)
      return answerStarted(request, reply, { ...deps, run })
    }
  )
}
