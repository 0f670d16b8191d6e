import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from '../../flows/json/schema-builder.ts'
import { Run, RunSummary } from '../../runs/present/run-shape.ts'
import type { RunStatus } from '../../runs/present/run-status.ts'
import { sendJson } from '../send-json.ts'
import { ChildCounts, Query } from './run-list-schema.ts'
import { childrenOf, cursorOf, flowIdsOf, timeOf } from './run-query.ts'
import type { RunRoutesDeps } from './run-routes-deps.ts'
import { visibleRunOf } from './visible-run.ts'
import { MOST_WHOLE_RUNS, wholeRuns } from './whole-runs.ts'

const tags = ['Runs']

/** Of one request that searches for text. Searching goes on with the next one, as long as somebody wants it. */
const SEARCH_EFFORT = { runs: 100_000, ms: 2_000 }

export function listRunsRoute(app: FastifyInstance, deps: RunRoutesDeps): void {
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
