import type { FlowTemplate } from './flow-template.ts'

export const orderLookup: FlowTemplate = {
  id: 'order-lookup',
  title: 'Database as an API',
  summary: 'A GET with the number of an order is answered with what the database knows, or with 404.',
  document: {
    name: 'State of an order',
    description: 'Answers GET …?number=1042 with the order as JSON.',
    nodes: [
      {
        id: 'webhook-1',
        type: 'webhook',
        position: { x: 0, y: 0 },
        fields: { methods: ['GET'], respond: 'When the flow answers', respond_within: '10s' }
      },
      {
        id: 'sql-1',
        type: 'sql',
        title: 'Find the order',
        position: { x: 380, y: 0 },
        fields: {
          connection: 'shop-database',
          query: 'select number, total, state from orders where number = :number',
          parameters: { number: '{number}' }
        }
      },
      {
        id: 'if-else-1',
        type: 'if-else',
        title: 'Is there one?',
        position: { x: 760, y: 0 },
        fields: { left: '{0?}', operator: 'is not empty', right: '' }
      },
      {
        id: 'respond-1',
        type: 'respond',
        title: 'The order',
        position: { x: 1140, y: -120 },
        fields: { body: '{0}' }
      },
      {
        id: 'respond-2',
        type: 'respond',
        title: 'No such order',
        position: { x: 1140, y: 160 },
        fields: { status: '404', body: { error: 'There is no order {$nodes.webhook-1.data.number}.' } }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'sql-1.data' },
      { from: 'sql-1.rows', to: 'if-else-1.data' },
      { from: 'if-else-1.true', to: 'respond-1.data' },
      { from: 'if-else-1.false', to: 'respond-2.data' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *shop-database*, with `read_only`. What is after the question mark of the address is the data; it is never part of the query.',
        position: { x: 0, y: -160 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: { number: '1042' }
}
