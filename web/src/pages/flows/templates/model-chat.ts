import type { FlowTemplate } from './flow-template.ts'

export const modelChat: FlowTemplate = {
  id: 'model-chat',
  title: 'Chat with a model',
  summary: 'You type in the Playground; a language model answers word by word, and remembers what was said.',
  document: {
    name: 'Chat',
    description: 'Answers what is typed in the Playground, with the turns before it in mind.',
    nodes: [
      { id: 'chat-input-1', type: 'chat-input', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'language-model-1',
        type: 'language-model',
        title: 'Assistant',
        position: { x: 380, y: 0 },
        fields: {
          connection: 'models',
          model: 'gpt-5-mini',
          system: 'You are a friendly assistant. Answer in a few sentences, in the language of the question.',
          history: 10
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 760, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'language-model-1.text' },
      { from: 'language-model-1.text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Make a connection *models* to OpenAI, Anthropic, Google or a server of your own, and choose a **Model** of its list. *History* in the controls says how many turns it remembers.',
        position: { x: 380, y: -140 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: 'Good morning! Where do the runs of a flow go when they are done?'
}
