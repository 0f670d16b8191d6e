import type { FlowTemplate } from './flow-template.ts'

export const orderAgent: FlowTemplate = {
  id: 'order-agent',
  title: 'Ask an agent about orders',
  summary:
    'A model looks orders up and does sums by itself, as often as it needs to, and answers in the Playground.',
  document: {
    name: 'Order desk',
    description: 'Answers questions about orders, with tools.',
    nodes: [
      { id: 'chat-input-1', type: 'chat-input', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'find-order',
        type: 'sql',
        title: 'Find an order',
        position: { x: 0, y: 140 },
        fields: {
          connection: 'shop',
          query: 'select id, customer, total, state from orders where id = :id',
          parameters: { id: '{order_id}' }
        },
        tool: { description: 'Finds an order by its number: customer, total and state.' }
      },
      {
        id: 'calculate',
        type: 'transform',
        title: 'Calculate',
        position: { x: 0, y: 280 },
        fields: { expression: '' },
        tool: {
          description: 'Computes with JSONata over data, such as data.prices.($sum($)) or data.total * 0.19.',
          fields: ['expression']
        }
      },
      {
        id: 'agent-1',
        type: 'agent',
        title: 'Order desk',
        position: { x: 380, y: 60 },
        fields: {
          connection: 'models',
          model: 'gpt-5-mini',
          system: 'You answer customers of a shop. Look orders up before you speak of them, and never guess.',
          history: 10
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 760, y: 60 }, fields: {} }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'agent-1.text' },
      { from: 'find-order.tools', to: 'agent-1.tools' },
      { from: 'calculate.tools', to: 'agent-1.tools' },
      { from: 'agent-1.text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *models*, and one *shop* to a database with a table *orders*. What is wired to **Tools** is what the agent may do, and nothing else.',
        position: { x: 380, y: -90 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: 'Where is my order 7, and how much is its value added tax?'
}
