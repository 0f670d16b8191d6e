import type { FlowTemplate } from './flow-template.ts'

export const orderCopy: FlowTemplate = {
  id: 'order-copy',
  title: 'All pages of an API',
  summary:
    'Every hour all orders are read from the shop, page by page and no faster than it allows, into a database of your own.',
  document: {
    name: 'Copy of the orders',
    description: 'Keeps a copy of all orders of the shop.',
    nodes: [
      {
        id: 'schedule-1',
        type: 'schedule',
        title: 'Every hour',
        position: { x: 0, y: 0 },
        fields: { cron: '0 * * * *', timezone: 'UTC' }
      },
      {
        id: 'api-request-1',
        type: 'api-request',
        title: 'All orders',
        position: { x: 380, y: 0 },
        retry: { attempts: 8, backoff_ms: 2000 },
        fields: {
          connection: 'shop-api',
          url: '/orders',
          query: { limit: '20' },
          pagination: 'Page number',
          page_parameter: 'page',
          items: '{body.orders}'
        }
      },
      {
        id: 'sql-1',
        type: 'sql',
        title: 'Keep them',
        position: { x: 760, y: 0 },
        fields: {
          connection: 'stock-database',
          query:
            "insert into shop_orders (number, total)\nselect value->>'number', value->>'total' from json_each(:orders) where true\non conflict (number) do update set total = excluded.total",
          parameters: { orders: '{$data}' }
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'For people',
        position: { x: 1140, y: 0 },
        fields: { template: '{count} orders were copied.' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1520, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'schedule-1.data', to: 'api-request-1.data' },
      { from: 'api-request-1.body', to: 'sql-1.data' },
      { from: 'sql-1.result', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'A page that is refused (429) is asked for again when the shop says, and only that page: see *Attempts*. **Rate** of the connection keeps below its limit from the start.',
        position: { x: 380, y: -160 },
        size: { width: 360, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: { scheduled_at: '2026-03-02T02:00:00.000Z', timezone: 'UTC' }
}
