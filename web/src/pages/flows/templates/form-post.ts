import type { FlowTemplate } from './flow-template.ts'

export const formPost: FlowTemplate = {
  id: 'form-post',
  title: 'Form post',
  summary: 'A contact form on a site posts here without a key, thirty times a minute at most.',
  document: {
    name: 'Contact form',
    description: 'Shows what visitors write into the contact form.',
    nodes: [
      {
        id: 'webhook-1',
        type: 'webhook',
        position: { x: 0, y: 0 },
        fields: { auth: 'None', rate_limit: 30 }
      },
      {
        id: 'parser-1',
        type: 'parser',
        position: { x: 380, y: 0 },
        fields: {
          mode: 'Parser',
          template: '**{name?Somebody}** ({email?no address}) writes from {page?the site}:\n\n{message}'
        }
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
        text: 'A page in a browser cannot keep a key, so this endpoint asks for none and is limited instead: see *Controls* of the Webhook.',
        position: { x: 0, y: -140 },
        size: { width: 320, height: 100 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    name: 'Jo Marsh',
    email: 'jo@example.com',
    page: '/pricing',
    message: 'Do you offer invoices by the year?'
  }
}
