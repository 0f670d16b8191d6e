import type { FlowTemplate } from './flow-template.ts'

export const shopOrder: FlowTemplate = {
  id: 'shop-order',
  title: 'Order from a shop',
  summary:
    'A shop posts every new order. One message tells the team who bought what, and the total with two digits.',
  document: {
    name: 'Shop orders',
    description: 'Tells the team of every new order.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Order line',
        position: { x: 380, y: 0 },
        fields: {
          mode: 'Parser',
          template: [
            '**Order {order_number}** from {customer.first_name} {customer.last_name}',
            '{line_items[0].quantity} × {line_items[0].title}, {line_items[0].sku}',
            'Total {total_price:,.2f} {currency}, to {shipping_address.city?the shop}',
            'Note: {note?none}'
          ].join('\n')
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 780, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: '`{note?none}` may be missing: many orders have no note. `{total_price:,.2f}` prints the total with two digits.',
        position: { x: 380, y: -140 },
        size: { width: 320, height: 100 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    id: 5_873_113_186_462,
    order_number: 1042,
    currency: 'EUR',
    total_price: 1264.5,
    customer: { first_name: 'Ann', last_name: 'Lindqvist', email: 'ann@example.com' },
    line_items: [
      { sku: 'LAMP-07', title: 'Desk lamp', quantity: 2, price: 89.5 },
      { sku: 'DESK-01', title: 'Standing desk', quantity: 1, price: 1085.5 }
    ],
    shipping_address: { city: 'Gothenburg', country: 'SE' }
  }
}
