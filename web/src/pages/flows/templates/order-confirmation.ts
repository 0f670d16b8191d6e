import type { FlowTemplate } from './flow-template.ts'

export const orderConfirmation: FlowTemplate = {
  id: 'order-confirmation',
  title: 'Order confirmation by e-mail',
  summary: 'A shop posts an order, and the customer gets a mail with what was ordered, as text and as HTML.',
  document: {
    name: 'Order confirmations',
    description: 'Sends every customer a mail about their order, with the order attached.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'send-email-1',
        type: 'send-email',
        title: 'Confirm the order',
        position: { x: 380, y: 0 },
        retry: { attempts: 4, backoff_ms: 60_000, max_backoff_ms: 900_000 },
        fields: {
          connection: 'mail',
          to: '{customer.name} <{customer.email}>',
          reply_to: 'help@shop.example',
          subject: 'Your order {number}',
          text: 'Hello {customer.name},\n\nthank you for your order {number}: {total:.2f} € in all.',
          html: '<p>Hello {customer.name},</p>\n<p>thank you for your order <b>{number}</b>: {total:.2f} € in all.</p>',
          attachments: [{ name: 'order-{number}.json', content: '{lines}', type: 'application/json' }]
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'What was sent',
        position: { x: 760, y: 0 },
        fields: { mode: 'Parser', template: 'Confirmed to {accepted[0]}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1140, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'send-email-1.data' },
      { from: 'send-email-1.result', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *mail* of the kind SMTP, and press *Test* there. A server that is busy is tried again after a minute; a mail that is sent twice has the same Message-ID.',
        position: { x: 380, y: -160 },
        size: { width: 340, height: 130 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    number: 1042,
    total: 89.5,
    customer: { name: 'Ann Lindqvist', email: 'ann@mail.example' },
    lines: [{ sku: 'LAMP-07', quantity: 2 }]
  }
}
