import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../api-parts.ts'
import { budgetRoutes } from './budgets.ts'
import { priceRoutes } from './prices.ts'
import { usageRoute } from './usage.ts'

/** What models cost, and may cost. */
export function costsApi(app: FastifyInstance, parts: ApiParts): void {
  priceRoutes(app, parts)
  budgetRoutes(app, parts)
  usageRoute(app, parts)
}
