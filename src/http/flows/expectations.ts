import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { Type } from '../../flows/json/schema-builder.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { Expectations, Met } from '../../runs/rehearsal/expectations.ts'
import { runNotFound } from '../../runs/run-refusals.ts'
import type { Runs } from '../../runs/runs.ts'
import type { ExpectationFacts } from '../../store/expectations.ts'
import { actorOf, assertMayRead, visibleFlow } from '../access/access.ts'
import { IdParams, nothing, PathText } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { Check, Expectation, Keep } from './expectation-schema.ts'
import { assertMayPut } from './flow-access.ts'
import { type TestedDeps, testOf } from './test-draft.ts'
import { whileItWaits } from './while-it-waits.ts'

interface ExpectationDeps extends TestedDeps {
  readonly expectations: Expectations
  readonly runs: Pick<Runs, 'get'>
}

const tags = ['Drafts']

/** What every publish holds its draft against. */
export function expectationRoutes(app: FastifyInstance, deps: ExpectationDeps): void {
  listRoute(app, deps)
  keepRoute(app, deps)
  removeRoute(app, deps)
  checkRoute(app, deps)
}

function listRoute(app: FastifyInstance, { library, expectations }: ExpectationDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/expectations',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listExpectations',
        summary: 'List what is expected of a flow',
        refuses: ['flow_not_found'],
        description: 'Oldest first. Each publish of a draft holds it against them.',
        params: IdParams,
        response: { 200: Type.Object({ expectations: Type.Array(Expectation) }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      return { expectations: (await expectations.list(flow.id)).map(presentExpectation) }
    }
  )
}

function keepRoute(app: FastifyInstance, deps: ExpectationDeps): void {
  const { library, expectations, runs } = deps
  app.post<{ Params: { id: string }; Body: Static<typeof Keep> }>(
    '/api/v1/flows/:id/expectations',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'keepExpectation',
        summary: 'Keep a run as an expectation',
        refuses: [
          'flow_not_found',
          'run_not_found',
          'run_not_rehearsable',
          'expectation_too_large',
          'expectations_full',
          'flow_invalid'
        ],
        description:
          'What the run began with, and what it came to, or what the draft comes to with the same. It stays when the run is deleted. At most 100 of 512 kB each. Needs the rights write and read, and trigger for what the draft does now.',
        params: IdParams,
        body: Keep,
        response: { 201: Expectation }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      assertMayRead(request)
      assertMayPut(actorOf(request), flow, flow.context)
      const { run_id: id, of = 'then', name = '' } = request.body
      const run = await runs.get(id)
      if (run.flowId !== flow.id || run.isTest === true || run.parent !== undefined) throw runNotFound()
      const tried = of === 'then' ? flow : await triedBy(request, flow, deps)
      const { name: author } = actorOf(request)
      const kept = await expectations.keep({ run, of, name: name.trim() || nameOf(run.id), author }, tried)
      return reply.code(201).send(presentExpectation(kept))
    }
  )
}

function removeRoute(app: FastifyInstance, { library, expectations }: ExpectationDeps): void {
  app.delete<{ Params: { id: string; expectation: string } }>(
    '/api/v1/flows/:id/expectations/:expectation',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'removeExpectation',
        summary: 'Remove an expectation',
        refuses: ['flow_not_found', 'expectation_not_found'],
        params: Type.Object({ id: PathText, expectation: PathText }),
        response: { 204: nothing('Nothing is held against it any more') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      assertMayPut(actorOf(request), flow, flow.context)
      await expectations.remove(flow.id, request.params.expectation)
      return reply.code(204).send()
    }
  )
}

function checkRoute(app: FastifyInstance, deps: ExpectationDeps): void {
  const { library, expectations } = deps
  app.post<{ Params: { id: string } }>(
    '/api/v1/flows/:id/expectations/check',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'checkExpectations',
        summary: 'Hold the draft against what is expected of the flow',
        refuses: ['flow_not_found', 'flow_invalid'],
        description:
          'Or what is live, where there is no draft; without acting, as a rehearsal does. Nothing of it is a run. Needs the rights write, trigger and read.',
        params: IdParams,
        response: { 200: Check }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      assertMayRead(request)
      const met = await expectations.check(await triedBy(request, flow, deps), whileItWaits(reply))
      return sendJson(reply, presentCheck(met), nothingStored)
    }
  )
}

async function triedBy(
  request: Parameters<typeof testOf>[0],
  flow: Parameters<typeof testOf>[1],
  deps: TestedDeps
) {
  const { flow: tried, document } = await testOf(request, flow, deps)
  return { ...tried, document }
}

/** Until somebody has called it something. */
function nameOf(runId: string): string {
  return `Run ${runId.slice(-4)}`
}

function presentCheck(met: readonly Met[]) {
  const countOf = (...verdicts: Met['verdict'][]) =>
    met.filter(({ verdict }) => verdicts.includes(verdict)).length
  return {
    met: countOf('same'),
    failing: countOf('different', 'failed'),
    unknown: countOf('unknown'),
    expectations: met.map(({ expectation, verdict, node, was, is, error }) => ({
      ...presentExpectation(expectation),
      ...{ verdict, node, was, is, error }
    }))
  }
}

function presentExpectation({ id, name, runId, of, author, createdAt }: ExpectationFacts) {
  return { id, name, run_id: runId, of, author, created_at: timeText(createdAt) }
}

function nothingStored(): never {
  throw new Error('an expectation is stored as a whole')
}
