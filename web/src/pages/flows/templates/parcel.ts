import type { FlowTemplate } from './flow-template.ts'

export const parcel: FlowTemplate = {
  id: 'parcel',
  title: 'Book a parcel',
  summary:
    'A shop posts an order, the API of a carrier books a parcel for it, and the team reads where the label is.',
  document: {
    name: 'Parcels',
    description: 'Books a parcel for every order, by the API of a carrier.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'api-request-1',
        type: 'api-request',
        title: 'Book a parcel',
        position: { x: 380, y: 0 },
        retry: { attempts: 3 },
        fields: {
          connection: 'carrier',
          method: 'POST',
          url: '/parcels',
          body: {
            reference: 'Order {order_number}',
            recipient: '{shipping_address.name}',
            city: '{shipping_address.city}',
            country: '{shipping_address.country}',
            grams: '{total_weight}',
            note: '{note?}'
          }
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Parcel line',
        position: { x: 760, y: 0 },
        fields: { mode: 'Parser', template: 'Parcel **{code}** is booked: {label_url}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1140, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'api-request-1.data' },
      { from: 'api-request-1.body', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *carrier* with the address of the API and its secret. It can differ between `/staging` and `/production`: the flow stays the same.',
        position: { x: 380, y: -140 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    order_number: 1042,
    total_weight: 3400,
    shipping_address: { name: 'Ann Lindqvist', city: 'Gothenburg', country: 'SE' }
  }
}
