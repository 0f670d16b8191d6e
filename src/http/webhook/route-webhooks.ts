import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { ContextWebhooks } from './context-webhooks.ts'

/**
 * Leads the webhooks of an application that made its own server, over the network and injected alike. Of all that
 * Fastify asks of others, only what a constraint is derived from is asked before the router reads the address. No
 * route has this constraint, and nothing is ever derived.
 *
 * Rejected: a listener on the server, which neither sees injected requests nor the further servers that Fastify
 * makes for a host name with several addresses.
 */
export function routeWebhooks(app: FastifyInstance, webhooks: ContextWebhooks): void {
  app.addConstraintStrategy({
    name: webhooks.constraint,
    storage: () => ({ get: () => null, set: () => {} }),
    validate: () => {},
    mustMatchWhenDerived: true,
    deriveConstraint: (request: IncomingMessage) => {
      webhooks.routeOnFirstRead(request)
      return undefined
    }
  })
}
