import type { FlowTemplate } from './flow-template.ts'

export const customerOrders: FlowTemplate = {
  id: 'customer-orders',
  title: 'Orders of a customer',
  summary:
    'A help desk posts the name of a customer. The shop’s database is asked for their latest orders, and the team reads them.',
  document: {
    name: 'Orders of a customer',
    description: 'Looks up the latest orders of whoever writes to the help desk.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'sql-1',
        type: 'sql',
        title: 'Latest orders',
        position: { x: 380, y: 0 },
        fields: {
          connection: 'shop-database',
          query:
            'select number, total, state\nfrom orders\nwhere customer = :customer\norder by number desc\nlimit :most',
          parameters: { customer: '{sender.email}', most: 3 }
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'One line each',
        position: { x: 760, y: 0 },
        fields: { mode: 'Parser', template: 'Order {number}: {total:.2f}, {state}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1140, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'sql-1.data' },
      { from: 'sql-1.rows', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *shop-database*, with `read_only` if nothing should be written. Values are never part of the query: `:customer` is what **Parameters** says.',
        position: { x: 380, y: -140 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    ticket: 311,
    sender: { name: 'Ann Lindqvist', email: 'ann@example.com' },
    subject: 'Where is my lamp?'
  }
}
