import { type BenchFlow, createFlow } from './create-flow.ts'
import type { Service } from './service-process.ts'

const WAITS = { respond: 'When the flow answers' }

/** Webhook → Parser → Respond: three nodes, as in the reference. */
export function createAnswerFlow(service: Service, slug: string): Promise<void> {
  const flow: BenchFlow = {
    name: slug,
    slug,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: WAITS },
      {
        id: 'parser-1',
        type: 'parser',
        fields: { template: '{{"text": "Order {order_id} from {customer}"}}' }
      },
      { id: 'respond-1', type: 'respond', fields: { content_type: 'text/plain' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'respond-1.data' }
    ]
  }
  return createFlow(service, flow)
}

/** Webhook → Delay → Respond: its callers wait for as long as they may. */
export function createLateFlow(service: Service, slug: string): Promise<void> {
  const flow: BenchFlow = {
    name: slug,
    slug,
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { ...WAITS, respond_within: '5m' } },
      { id: 'delay-1', type: 'delay', fields: { for: '1h' } },
      { id: 'respond-1', type: 'respond', fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'delay-1.data' },
      { from: 'delay-1.data', to: 'respond-1.data' }
    ]
  }
  return createFlow(service, flow)
}
