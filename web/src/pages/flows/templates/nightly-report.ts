import type { FlowTemplate } from './flow-template.ts'

export const nightlyReport: FlowTemplate = {
  id: 'nightly-report',
  title: 'Nightly report',
  summary:
    'Every night the database of the shop is asked how the orders stand, and the team reads it in the morning.',
  document: {
    name: 'Nightly report',
    description: 'Counts the orders by state, every night at two.',
    nodes: [
      {
        id: 'schedule-1',
        type: 'schedule',
        title: 'Every night',
        position: { x: 0, y: 0 },
        fields: { cron: '0 2 * * *', timezone: 'UTC' }
      },
      {
        id: 'sql-1',
        type: 'sql',
        title: 'Orders by state',
        position: { x: 380, y: 0 },
        fields: {
          connection: 'shop-database',
          query:
            'select state, count(*) as orders, sum(total) as total\nfrom orders\ngroup by state\norder by state',
          parameters: {}
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'One line each',
        position: { x: 760, y: 0 },
        fields: { mode: 'Parser', template: '{orders} {state}, {total:,.2f} in all' }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        position: { x: 1140, y: 0 },
        fields: { session: 'reports' }
      }
    ],
    edges: [
      { from: 'schedule-1.data', to: 'sql-1.data' },
      { from: 'sql-1.rows', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *shop-database*, and set your time zone in **Every night**. A night that was missed because the service was down is made up for once.',
        position: { x: 0, y: -140 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: { scheduled_at: '2026-03-02T02:00:00.000Z', timezone: 'UTC' }
}
