import { createFlow } from './create-flow.ts'
import type { Service } from './service-process.ts'

/** Webhook → Delay → Parser. */
export function createDelayFlow(
  service: Service,
  slug: string,
  fields: { readonly for: string } | { readonly until: string }
): Promise<void> {
  return createFlow(service, {
    name: slug,
    slug,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      { id: 'delay-1', type: 'delay', fields },
      { id: 'parser-1', type: 'parser', fields: { template: 'Order {order_id} from {customer}' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'delay-1.data' },
      { from: 'delay-1.data', to: 'parser-1.data' }
    ]
  })
}
