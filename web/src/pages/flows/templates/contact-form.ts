import type { FlowTemplate } from './flow-template.ts'

export const contactForm: FlowTemplate = {
  id: 'contact-form',
  title: 'Contact form',
  summary: 'A page with a form that anyone can fill in; what comes in is written up.',
  document: {
    name: 'Contact form',
    description: 'Writes up what people send by the form.',
    nodes: [
      {
        id: 'form-1',
        type: 'form',
        position: { x: 0, y: 0 },
        fields: {
          title: 'Contact us',
          description: 'We answer within a day.',
          fields: [
            { name: 'name', label: 'Name', type: 'text', required: true },
            {
              name: 'email',
              label: 'Email',
              type: 'email',
              required: true,
              help: 'We answer to this address.'
            },
            {
              name: 'topic',
              label: 'What is it about?',
              type: 'choice',
              required: true,
              choices: ['An order', 'A question', 'Something else']
            },
            { name: 'message', label: 'Message', type: 'long text', required: true }
          ],
          thanks: 'Thank you, {name}. We will write to {email}.'
        }
      },
      {
        id: 'parser-1',
        type: 'parser',
        position: { x: 380, y: 0 },
        fields: { mode: 'Parser', template: '**{name}** ({email}) writes about {topic}:\n\n{message}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 780, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'form-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Whoever has the *Link* of the Form can fill it in. Put *Send e-mail* in place of Chat Output to get it by mail.',
        position: { x: 0, y: -140 },
        size: { width: 320, height: 100 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    name: 'Jo Marsh',
    email: 'jo@example.com',
    topic: 'A question',
    message: 'Do you offer invoices by the year?'
  }
}
