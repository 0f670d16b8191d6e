/** The flow that a new store begins with, so that the first curl line has something to start. */
export const EXAMPLE_FLOW = {
  name: 'Orders',
  slug: 'orders',
  description: 'An example: an order arrives, becomes a line of text and shows in the Playground.',
  context: '/',
  nodes: [
    { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
    {
      id: 'parser-1',
      type: 'parser',
      position: { x: 320, y: 0 },
      fields: { mode: 'Parser', template: 'Order {order_id} from {customer}' }
    },
    { id: 'chat-output-1', type: 'chat-output', position: { x: 640, y: 0 }, fields: {} }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'parser-1.data' },
    { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
  ]
}

export const EXAMPLE_PAYLOAD = { order_id: 7, customer: 'Ann' }
