import type { FlowTemplate } from './flow-template.ts'

export const nightlyReport: FlowTemplate = {
  id: 'nightly-report',
  title: 'Nightly report by mail',
  summary:
    'Every night the database of the shop is asked how the orders stand, and the team has it in the morning’s mail.',
  document: {
    name: 'Nightly report',
    description: 'Counts the orders by state, every night at two, and mails them.',
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
        fields: { mode: 'Parser', template: '- **{state}**: {orders} orders, {total:,.2f} € in all' }
      },
      {
        id: 'convert-1',
        type: 'convert',
        title: 'As HTML',
        position: { x: 1140, y: 0 },
        fields: { mode: 'Markdown to HTML' }
      },
      {
        id: 'send-email-1',
        type: 'send-email',
        title: 'To the team',
        position: { x: 1520, y: 0 },
        retry: { attempts: 4, backoff_ms: 60_000, max_backoff_ms: 900_000 },
        fields: {
          connection: 'mail',
          to: 'team@shop.example',
          subject: 'Orders, {$now:dd.MM.yyyy}',
          text: '{$nodes.parser-1.parsed_text}',
          html: '{$data}'
        }
      }
    ],
    edges: [
      { from: 'schedule-1.data', to: 'sql-1.data' },
      { from: 'sql-1.rows', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'convert-1.data' },
      { from: 'convert-1.data', to: 'send-email-1.data' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make the connections *shop-database* and *mail*, and set your time zone in **Every night**. A night that was missed because the service was down is made up for once.',
        position: { x: 0, y: -160 },
        size: { width: 340, height: 120 },
        colour: 'yellow'
      }
    ]
  },
  sample: { scheduled_at: '2026-03-02T02:00:00.000Z', timezone: 'UTC' }
}
