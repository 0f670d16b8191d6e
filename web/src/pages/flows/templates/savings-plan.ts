import type { FlowTemplate } from './flow-template.ts'

export const savingsPlan: FlowTemplate = {
  id: 'savings-plan',
  title: 'Savings plan, year by year',
  summary:
    'A balance earns interest and gets a deposit each year, until it reaches the goal, or for 40 years at most.',
  document: {
    name: 'Savings plan',
    description:
      'Goes on year by year, each from the balance of the one before, and tells how long it takes to the goal.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'repeat-1',
        type: 'repeat',
        title: 'Each year',
        position: { x: 380, y: -60 },
        size: { width: 420, height: 260 },
        fields: { until: 'data.balance >= data.goal', most: 40 }
      },
      {
        id: 'transform-1',
        type: 'transform',
        title: 'Interest and deposit',
        parent: 'repeat-1',
        position: { x: 470, y: 40 },
        fields: {
          expression:
            '{ "goal": goal, "rate": rate, "deposit": deposit, "years": (years ? years : 0) + 1, "balance": balance * (1 + rate / 100) + deposit }'
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Reached',
        position: { x: 900, y: -80 },
        fields: { template: 'After {years} years there are {balance:,.2f}, and the goal was {goal:,}.' }
      },
      {
        id: 'parser-2',
        type: 'parser',
        title: 'Not reached',
        position: { x: 900, y: 120 },
        fields: { template: 'After {years} years there are only {balance:,.2f} of {goal:,}.' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1280, y: 20 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'repeat-1.data' },
      { from: 'repeat-1.data', to: 'transform-1.data' },
      { from: 'transform-1.data', to: 'repeat-1.next' },
      { from: 'repeat-1.data', to: 'parser-1.data' },
      { from: 'repeat-1.exhausted', to: 'parser-2.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-2.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Each round begins with what the last one gave by `next`. Put an API Request into the frame and fill in `pause`, and it asks again until an export is ready.',
        position: { x: 380, y: -200 },
        size: { width: 360, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: { goal: 20000, balance: 5000, rate: 3, deposit: 1200 }
}
