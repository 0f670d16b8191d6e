import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../api-parts.ts'
import { heldRunsRoute } from './held-runs.ts'
import { runStatsRoute } from './run-stats.ts'
import { runRoutes } from './runs.ts'

export function runApi(app: FastifyInstance, parts: ApiParts): void {
  runRoutes(app, parts)
  heldRunsRoute(app, parts)
  runStatsRoute(app, parts)
}
