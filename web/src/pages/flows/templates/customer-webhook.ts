import type { FlowTemplate } from './flow-template.ts'

export const customerWebhook: FlowTemplate = {
  id: 'customer-webhook',
  title: 'Forward events to a customer’s webhook',
  summary:
    'An order is paid, and a customer’s webhook is told: signed, and sent again over three days if need be.',
  document: {
    name: 'Customer webhooks',
    description: 'Tells a customer’s webhook of paid orders.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'if-else-1',
        type: 'if-else',
        title: 'Paid?',
        position: { x: 380, y: 0 },
        fields: { left: '{status}', operator: 'equals', right: 'paid' }
      },
      {
        id: 'send-webhook-1',
        type: 'send-webhook',
        title: 'Tell the customer',
        position: { x: 760, y: 0 },
        on_error: 'output',
        fields: {
          connection: 'customer-webhook',
          body: { type: 'order.paid', timestamp: '{paid_at}', data: { order: '{number}', total: '{total}' } }
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Delivered',
        position: { x: 1140, y: -60 },
        fields: { mode: 'Parser', template: 'Order.paid was delivered: the customer answered {status}' }
      },
      {
        id: 'parser-2',
        type: 'parser',
        title: 'Given up',
        position: { x: 1140, y: 140 },
        fields: { mode: 'Parser', template: 'Given up after {attempts} attempts: {message}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1520, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'if-else-1.data' },
      { from: 'if-else-1.true', to: 'send-webhook-1.data' },
      { from: 'send-webhook-1.result', to: 'parser-1.data' },
      { from: 'send-webhook-1.error', to: 'parser-2.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-2.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *customer-webhook* with the address and the signing secret of the receiver (`whsec_…`). Receivers check the signature as [Standard Webhooks](https://www.standardwebhooks.com) says.',
        position: { x: 760, y: -200 },
        size: { width: 340, height: 150 },
        colour: 'yellow'
      }
    ]
  },
  sample: { number: 1042, status: 'paid', paid_at: '2026-03-02T10:15:00Z', total: 89.5 }
}
