import type { FlowTemplate } from './flow-template.ts'

export const exportReady: FlowTemplate = {
  id: 'export-ready',
  title: 'Wait until it is done',
  summary:
    'An API makes an export in its own time. It is asked every ten seconds, and tells when it is ready.',
  document: {
    name: 'Export of a day',
    description: 'Begins an export, waits until it is ready, and gives its address.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'api-request-1',
        type: 'api-request',
        title: 'Begin the export',
        position: { x: 380, y: 0 },
        fields: { connection: 'shop-api', method: 'POST', url: '/exports', body: { day: '{day}' } }
      },
      {
        id: 'repeat-1',
        type: 'repeat',
        title: 'Until it is done',
        position: { x: 760, y: -60 },
        size: { width: 420, height: 260 },
        fields: { until: 'data.status == "done"', pause: '10s', most: 360 }
      },
      {
        id: 'api-request-2',
        type: 'api-request',
        title: 'How far is it?',
        parent: 'repeat-1',
        position: { x: 850, y: 40 },
        fields: { connection: 'shop-api', url: '/exports/{id}' }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Ready',
        position: { x: 1280, y: -80 },
        fields: { template: 'The export of {$nodes.webhook-1.data.day} is ready: {url}' }
      },
      {
        id: 'parser-2',
        type: 'parser',
        title: 'Not in an hour',
        position: { x: 1280, y: 140 },
        fields: { template: 'The export of {$nodes.webhook-1.data.day} is not ready after an hour.' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1660, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'api-request-1.data' },
      { from: 'api-request-1.body', to: 'repeat-1.data' },
      { from: 'repeat-1.data', to: 'api-request-2.data' },
      { from: 'api-request-2.body', to: 'repeat-1.next' },
      { from: 'repeat-1.data', to: 'parser-1.data' },
      { from: 'repeat-1.exhausted', to: 'parser-2.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-2.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'While it waits the run takes no memory, and a restart does not disturb it: a pause may as well be a day.',
        position: { x: 760, y: -210 },
        size: { width: 360, height: 90 },
        colour: 'yellow'
      }
    ]
  },
  sample: { day: '2026-03-02' }
}
