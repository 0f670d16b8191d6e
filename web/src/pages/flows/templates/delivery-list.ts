import type { FlowTemplate } from './flow-template.ts'

export const deliveryList: FlowTemplate = {
  id: 'delivery-list',
  title: 'Delivery list with addresses',
  summary:
    'Orders know their customers only by number. Join looks them up, Date says when to deliver, and the list leaves as CSV.',
  document: {
    name: 'Delivery list',
    description: 'Brings orders and customers together, and writes the next deliveries as CSV.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 90 }, fields: {} },
      {
        id: 'split-out-1',
        type: 'split-out',
        title: 'Orders',
        position: { x: 300, y: 0 },
        fields: { field: 'orders' }
      },
      {
        id: 'split-out-2',
        type: 'split-out',
        title: 'Customers',
        position: { x: 300, y: 180 },
        fields: { field: 'customers' }
      },
      {
        id: 'join-1',
        type: 'join',
        title: 'Orders with customers',
        position: { x: 600, y: 90 },
        fields: { keys: [{ left: 'customer', right: 'id' }] }
      },
      {
        id: 'date-1',
        type: 'date',
        title: 'Three days later',
        position: { x: 900, y: 90 },
        fields: {
          operation: 'Add',
          date: '{ordered_at}',
          amount: '3',
          unit: 'days',
          timezone: 'Europe/Stockholm',
          format: 'yyyy-MM-dd',
          as: 'deliver_on'
        }
      },
      {
        id: 'select-1',
        type: 'select',
        title: 'What the driver needs',
        position: { x: 1200, y: 90 },
        fields: {
          fields: [
            { field: 'deliver_on', as: 'day' },
            { field: 'number', as: 'order' },
            { field: 'name', as: '' },
            { field: 'address.street', as: '' },
            { field: 'address.city', as: '' }
          ]
        }
      },
      {
        id: 'limit-1',
        type: 'limit',
        title: 'One van',
        position: { x: 1500, y: 90 },
        fields: { count: 50 }
      },
      {
        id: 'convert-1',
        type: 'convert',
        title: 'As CSV',
        position: { x: 1800, y: 90 },
        fields: { mode: 'Rows to CSV' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 2100, y: 90 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'split-out-1.data' },
      { from: 'webhook-1.data', to: 'split-out-2.data' },
      { from: 'split-out-1.data', to: 'join-1.left' },
      { from: 'split-out-2.data', to: 'join-1.right' },
      { from: 'join-1.data', to: 'date-1.data' },
      { from: 'date-1.data', to: 'select-1.data' },
      { from: 'select-1.data', to: 'limit-1.data' },
      { from: 'limit-1.data', to: 'convert-1.data' },
      { from: 'convert-1.data', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'An order of a customer that is not in the list is left out. **Keep** of the Join changes that: *Left* lets it through without an address.',
        position: { x: 600, y: -90 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    orders: [
      { number: 1042, customer: 7, ordered_at: '2026-03-02T10:15:00Z' },
      { number: 1043, customer: 9, ordered_at: '2026-03-02T23:30:00Z' },
      { number: 1044, customer: 7, ordered_at: '2026-03-03T08:00:00Z' }
    ],
    customers: [
      { id: 7, name: 'Ann Lindqvist', address: { street: 'Storgatan 5', city: 'Gothenburg' } },
      { id: 9, name: 'Mill & Sons, Ltd', address: { street: '2 Weir Lane', city: 'Malmö' } }
    ]
  }
}
