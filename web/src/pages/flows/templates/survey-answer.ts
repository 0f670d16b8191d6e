import type { FlowTemplate } from './flow-template.ts'

export const surveyAnswer: FlowTemplate = {
  id: 'survey-answer',
  title: 'Survey answer',
  summary:
    'A survey posts each answer. The parts of it become variables of a prompt that asks for a summary.',
  document: {
    name: 'Survey answers',
    description: 'Makes a prompt of every answer to the survey.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 160 }, fields: {} },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Who answered',
        position: { x: 380, y: 0 },
        fields: {
          mode: 'Parser',
          template: '{respondent.name?somebody}, {respondent.plan?no plan}, {score:d} of 10'
        }
      },
      {
        id: 'parser-2',
        type: 'parser',
        title: 'What they said',
        position: { x: 380, y: 432 },
        fields: {
          mode: 'Parser',
          template: 'Liked: {answers.liked?nothing}\nMissed: {answers.missed?nothing}'
        }
      },
      {
        id: 'prompt-1',
        type: 'prompt',
        position: { x: 780, y: 160 },
        fields: {
          template:
            'Summarise this answer in one sentence, and say whether somebody should call back.\n\nFrom: {who}\n{words}'
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1160, y: 160 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'webhook-1.data', to: 'parser-2.data' },
      { from: 'parser-1.parsed_text', to: 'prompt-1.who' },
      { from: 'parser-2.parsed_text', to: 'prompt-1.words' },
      { from: 'prompt-1.prompt', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Every `{variable}` of the prompt is one of its inputs. Wire the prompt to a *Language Model* to get the summary.',
        position: { x: 780, y: 24 },
        size: { width: 320, height: 100 },
        colour: 'purple'
      }
    ]
  },
  sample: {
    survey: 'After the first month',
    submitted_at: '2026-02-11T09:30:00Z',
    score: 6,
    respondent: { name: 'Mika', plan: 'Team' },
    answers: { liked: 'The runs are easy to find.', missed: 'A phone number to call.' }
  }
}
