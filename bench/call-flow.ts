import { createFlow } from './create-flow.ts'
import type { Service } from './service-process.ts'

/** A flow that sends what its webhook gets on to this address, and keeps the answer. */
export function createCallFlow(service: Service, slug: string, url: string): Promise<void> {
  return createFlow(service, {
    name: 'Bench call',
    slug,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      { id: 'api-1', type: 'api-request', fields: { method: 'POST', url } }
    ],
    edges: [{ from: 'webhook-1.data', to: 'api-1.data' }]
  })
}
