import type { FlowTemplate } from './flow-template.ts'

export const failedRuns: FlowTemplate = {
  id: 'failed-runs',
  title: 'Alert when a flow fails',
  summary: 'A run of another flow fails. Somebody reads which one, where and why, with the run to open.',
  document: {
    name: 'Failed runs',
    description: 'Tells of every run that failed, in its context and below.',
    nodes: [
      {
        id: 'run-failed-1',
        type: 'run-failed',
        title: 'Any flow',
        position: { x: 0, y: 0 },
        fields: { flows: [] }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'For people',
        position: { x: 380, y: 0 },
        fields: {
          mode: 'Parser',
          template: '**{flow}** failed ({error.code})\n{error.message}\nRun {run_id}'
        }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        position: { x: 780, y: 0 },
        fields: { session: 'failures' }
      }
    ],
    edges: [
      { from: 'run-failed-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'It watches all flows here and below; name some in **Flows** to watch no others. To tell people elsewhere, wire an *API Request* to the text.',
        position: { x: 0, y: -140 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    run_id: '019b2f6e-6c00-7000-8000-000000000001',
    flow: 'orders',
    error: {
      node: 'parser-1',
      code: 'template_missing_key',
      message: 'Node "parser-1" failed: the data has no "customer".'
    },
    input: { order_id: 7 }
  }
}
