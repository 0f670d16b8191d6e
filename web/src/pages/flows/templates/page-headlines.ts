import type { FlowTemplate } from './flow-template.ts'

export const pageHeadlines: FlowTemplate = {
  id: 'page-headlines',
  title: 'Headlines of a page',
  summary:
    'A page of the web comes in. Each of its articles becomes a line with its link, two of them in a message.',
  document: {
    name: 'Headlines',
    description: 'Takes the articles out of a page, and tells of them two at a time.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'html-1',
        type: 'html',
        title: 'Its articles',
        position: { x: 340, y: 0 },
        fields: { each: 'article', values: { title: 'h2', link: 'a@href' } }
      },
      {
        id: 'batch-1',
        type: 'batch',
        title: 'Two at a time',
        position: { x: 680, y: 0 },
        fields: { size: 2 }
      },
      {
        id: 'for-each-1',
        type: 'for-each',
        title: 'Each batch',
        position: { x: 1020, y: -60 },
        size: { width: 720, height: 260 },
        fields: {}
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'A line each',
        parent: 'for-each-1',
        position: { x: 1100, y: 40 },
        fields: { template: '[{title}]({link})' }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        parent: 'for-each-1',
        position: { x: 1420, y: 40 },
        fields: { session: 'headlines' }
      }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'html-1.data' },
      { from: 'html-1.data', to: 'batch-1.data' },
      { from: 'batch-1.data', to: 'for-each-1.items' },
      { from: 'for-each-1.item', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'A Schedule and an API Request in the place of the Webhook read the page every morning. Keep remembers which articles were told.',
        position: { x: 340, y: -160 },
        size: { width: 360, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    payload:
      '<!doctype html><title>The mill</title><main><article><h2>The wheel turns</h2><a href="https://mill.example/wheel">More</a></article><article><h2>Flour &amp; bread</h2><a href="https://mill.example/bread">More</a></article><article><h2>Open on Sunday</h2><a href="https://mill.example/open">More</a></article></main>'
  }
}
