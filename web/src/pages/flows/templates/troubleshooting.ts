import type { FlowTemplate } from './flow-template.ts'

export const troubleshooting: FlowTemplate = {
  id: 'troubleshooting',
  title: 'Troubleshooting',
  summary: 'Shows whatever arrives, as it is. Point a sender here first to learn what it really sends.',
  document: {
    name: 'What arrives',
    description: 'Prints every payload as it came, and never fails.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Stringify',
        position: { x: 380, y: 0 },
        fields: { mode: 'Stringify' }
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
        text: 'Stringify prints text as it is and anything else as JSON. When you know the keys, switch the mode to *Parser* and write a template.',
        position: { x: 380, y: -140 },
        size: { width: 320, height: 100 },
        colour: 'yellow'
      }
    ]
  },
  sample: { event: 'ping', sent_at: '2026-01-05T08:00:00Z', attempt: 1, data: { ok: true, items: [1, 2, 3] } }
}
