import type { FlowTemplate } from './flow-template.ts'

export const raffleTickets: FlowTemplate = {
  id: 'raffle-tickets',
  title: 'Tickets for a raffle',
  summary: 'You paste names into the Playground. Each name gets one ticket with a number of its own.',
  document: {
    name: 'Raffle tickets',
    description: 'Gives a ticket to each of the names that are typed in the Playground.',
    nodes: [
      { id: 'chat-input-1', type: 'chat-input', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'split-text-1',
        type: 'split-text',
        title: 'Names',
        position: { x: 300, y: 0 },
        fields: { mode: 'Separator', separator: ',' }
      },
      {
        id: 'remove-duplicates-1',
        type: 'remove-duplicates',
        title: 'Each name once',
        position: { x: 600, y: 0 },
        fields: {}
      },
      {
        id: 'code-1',
        type: 'code',
        title: 'An object for each',
        position: { x: 900, y: 0 },
        fields: { code: 'return data.map((name) => ({ name }))' }
      },
      {
        id: 'random-id-1',
        type: 'random-id',
        title: 'Draw numbers',
        position: { x: 1200, y: 0 },
        fields: { kind: 'Digits', length: 6, as: 'ticket' }
      },
      {
        id: 'parser-1',
        type: 'parser',
        position: { x: 1500, y: 0 },
        fields: { template: '{ticket}: {name}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1800, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'split-text-1.text' },
      { from: 'split-text-1.data', to: 'remove-duplicates-1.data' },
      { from: 'remove-duplicates-1.data', to: 'code-1.data' },
      { from: 'code-1.result', to: 'random-id-1.data' },
      { from: 'random-id-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Separate the names by commas. A retry of a run draws the same numbers again, another run draws others.',
        position: { x: 300, y: -150 },
        size: { width: 340, height: 100 },
        colour: 'yellow'
      }
    ]
  },
  sample: 'Ann, Jo, Mika, Ann, Vera'
}
