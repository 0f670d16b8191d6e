import type { FlowTemplate } from './flow-template.ts'

export const alertsWithLimit: FlowTemplate = {
  id: 'alerts-with-limit',
  title: 'Three alerts an hour, and no more',
  summary:
    'Monitoring repeats itself. Keep counts how often the same alert came within an hour, and only the first three go on.',
  document: {
    name: 'Alerts with a limit',
    description: 'Passes on the first three of the same alert within an hour.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'hash-1',
        type: 'hash',
        title: 'Which alert',
        position: { x: 300, y: 0 },
        fields: { text: '{host} {alert}', as: 'alert_id' }
      },
      {
        id: 'keep-1',
        type: 'keep',
        title: 'Count it',
        position: { x: 600, y: 160 },
        fields: { operation: 'Increment', key: 'alerts:{alert_id}', expires_in: '1h' }
      },
      {
        id: 'merge-1',
        type: 'merge',
        title: 'Alert and count',
        position: { x: 900, y: 0 },
        fields: { mode: 'List' }
      },
      {
        id: 'transform-1',
        type: 'transform',
        title: 'As one',
        position: { x: 1200, y: 0 },
        fields: { expression: '$merge([$[0], { "times": $[1] }])' }
      },
      {
        id: 'if-else-1',
        type: 'if-else',
        title: 'One of three?',
        position: { x: 1500, y: 0 },
        fields: { left: '{times}', operator: 'is at most', right: '3' }
      },
      {
        id: 'parser-1',
        type: 'parser',
        position: { x: 1800, y: 0 },
        fields: { template: '**{alert}** on {host}, {times} of 3 this hour\n{summary?}' }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        position: { x: 2100, y: 0 },
        fields: { session: 'alerts' }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'hash-1.data' },
      { from: 'hash-1.data', to: 'keep-1.data' },
      { from: 'hash-1.data', to: 'merge-1.in_1' },
      { from: 'keep-1.data', to: 'merge-1.in_2' },
      { from: 'merge-1.data', to: 'transform-1.data' },
      { from: 'transform-1.data', to: 'if-else-1.data' },
      { from: 'if-else-1.true', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'The count begins anew an hour after the first. Under **Contexts**, *Kept values* shows what is counted.',
        position: { x: 600, y: 280 },
        size: { width: 320, height: 100 },
        colour: 'yellow'
      }
    ]
  },
  sample: { host: 'db-3', alert: 'DiskFull', summary: 'Less than 5 % of the disk is free.' }
}
