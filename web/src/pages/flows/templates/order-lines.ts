import type { FlowTemplate } from './flow-template.ts'

export const orderLines: FlowTemplate = {
  id: 'order-lines',
  title: 'Fan-out over order lines',
  summary:
    'A shop sends the lines of an order. Each is worked on by itself, three at a time, and one that fails stops no other.',
  document: {
    name: 'Order lines',
    description:
      'Works on each line of an order as a run of its own, gives back the pick list, and tells which lines failed.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'for-each-1',
        type: 'for-each',
        title: 'Each line',
        position: { x: 380, y: -60 },
        size: { width: 420, height: 260 },
        fields: { concurrency: 3, failures: 'collect' }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Pick this',
        parent: 'for-each-1',
        position: { x: 470, y: 40 },
        fields: { template: 'Pick {quantity} × {sku} from shelf {shelf} for order {order}' }
      },
      { id: 'return-1', type: 'return', title: 'Pick list', position: { x: 900, y: -80 }, fields: {} },
      {
        id: 'parser-2',
        type: 'parser',
        title: 'Lines to look at',
        position: { x: 900, y: 120 },
        fields: { template: 'Line {index} needs a look: {message}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1280, y: 120 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'for-each-1.items' },
      { from: 'for-each-1.item', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'for-each-1.result' },
      { from: 'for-each-1.results', to: 'return-1.data' },
      { from: 'for-each-1.errors', to: 'parser-2.data' },
      { from: 'parser-2.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Each line is a run of its own: the page of the run shows them as a strip. `errors` tells which of them failed, as the last line of the sample does, which has no shelf.',
        position: { x: 380, y: -200 },
        size: { width: 360, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: [
    { order: 1042, sku: 'LAMP-07', quantity: 2, shelf: 'B4' },
    { order: 1042, sku: 'BULB-02', quantity: 4, shelf: 'B5' },
    { order: 1042, sku: 'CORD-11', quantity: 1 }
  ]
}
