import type { FlowTemplate } from './flow-template.ts'

export const orderApproval: FlowTemplate = {
  id: 'order-approval',
  title: 'Approval of an order, by mail',
  summary: 'An order waits until a person has decided, for days if need be. Then the customer gets a mail.',
  document: {
    name: 'Orders to approve',
    description: 'Asks a person about each order, and writes to the customer what was decided.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'send-email-1',
        type: 'send-email',
        title: 'Ask by mail',
        position: { x: 380, y: 200 },
        fields: {
          connection: 'mail',
          to: 'sales@shop.example',
          subject: 'Order {number} of {customer.name}',
          text: '{customer.name} orders for {total:,.2f} €. Decide here: {$approve.approve-1}'
        }
      },
      {
        id: 'approve-1',
        type: 'approve',
        title: 'Do we deliver?',
        position: { x: 380, y: -140 },
        fields: { question: 'Deliver {number} to {customer.name} for {total:,.2f} €?', timeout: '7d' }
      },
      {
        id: 'send-email-2',
        type: 'send-email',
        title: 'Confirm it',
        position: { x: 800, y: -240 },
        retry: { attempts: 4, backoff_ms: 60_000, max_backoff_ms: 900_000 },
        fields: {
          connection: 'mail',
          to: '{data.customer.name} <{data.customer.email}>',
          subject: 'Your order {data.number}',
          text: 'Hello {data.customer.name},\n\nyour order {data.number} is on its way.\n{comment?}'
        }
      },
      {
        id: 'send-email-3',
        type: 'send-email',
        title: 'Decline it',
        position: { x: 800, y: 20 },
        retry: { attempts: 4, backoff_ms: 60_000, max_backoff_ms: 900_000 },
        fields: {
          connection: 'mail',
          to: '{data.customer.name} <{data.customer.email}>',
          subject: 'Your order {data.number}',
          text: 'Hello {data.customer.name},\n\nwe cannot deliver order {data.number}.\n{comment?}'
        }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'send-email-1.data' },
      { from: 'webhook-1.data', to: 'approve-1.data' },
      { from: 'approve-1.approve', to: 'send-email-2.data' },
      { from: 'approve-1.reject', to: 'send-email-3.data' },
      { from: 'approve-1.timed_out', to: 'send-email-3.data' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Who gets the mail decides at the link in it, without a key; the question also stands under *Approvals*. Make a connection *mail* of the kind SMTP.',
        position: { x: 0, y: -180 },
        size: { width: 340, height: 120 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    number: 1042,
    total: 1264.5,
    customer: { name: 'Ann Lindqvist', email: 'ann@mail.example' }
  }
}
