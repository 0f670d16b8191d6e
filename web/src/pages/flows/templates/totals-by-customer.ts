import type { FlowTemplate } from './flow-template.ts'

export const totalsByCustomer: FlowTemplate = {
  id: 'totals-by-customer',
  title: 'Totals by customer',
  summary:
    'A shop sends its orders of the day as CSV. The paid ones are added up by customer, and listed, the best first.',
  document: {
    name: 'Totals by customer',
    description: 'Adds up a list of orders by customer, the largest total first.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'convert-1',
        type: 'convert',
        title: 'Read the CSV',
        position: { x: 340, y: 0 },
        fields: { mode: 'CSV to rows' }
      },
      {
        id: 'filter-1',
        type: 'filter',
        title: 'Paid orders',
        position: { x: 680, y: 0 },
        fields: { expression: 'data.state == "paid"' }
      },
      {
        id: 'aggregate-1',
        type: 'aggregate',
        title: 'By customer',
        position: { x: 1020, y: 0 },
        fields: {
          group_by: ['customer'],
          aggregates: [
            { operation: 'count', field: '', as: 'orders' },
            { operation: 'sum', field: 'total', as: 'total' },
            { operation: 'max', field: 'ordered_on', as: 'last' }
          ]
        }
      },
      {
        id: 'sort-1',
        type: 'sort',
        title: 'Largest first',
        position: { x: 1360, y: 0 },
        fields: {
          keys: [
            { field: 'total', direction: 'descending' },
            { field: 'customer', direction: 'ascending' }
          ]
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'One line each',
        position: { x: 1700, y: 0 },
        fields: { mode: 'Parser', template: '{customer}: {total:,.2f}, orders: {orders}, last {last}' }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        position: { x: 2040, y: 0 },
        fields: { session: 'reports' }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'convert-1.data' },
      { from: 'convert-1.data', to: 'filter-1.data' },
      { from: 'filter-1.data', to: 'aggregate-1.data' },
      { from: 'aggregate-1.data', to: 'sort-1.data' },
      { from: 'sort-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Send the file as it is: a body that is not JSON is kept as text, and **Read the CSV** finds out its delimiter. A Schedule and SQL in the place of both make it a nightly report.',
        position: { x: 0, y: -160 },
        size: { width: 360, height: 120 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    payload:
      'customer;total;state;ordered_on\nAnn Lindqvist;1264.50;paid;2026-03-02\nJo Marsh;19.90;paid;2026-03-02\n"Mill & Sons; Ltd";0.10;paid;2026-03-01\nJo Marsh;0.20;paid;2026-03-03\nAnn Lindqvist;89.50;open;2026-03-03\n"Mill & Sons; Ltd";0.20;paid;2026-03-02\n'
  }
}
