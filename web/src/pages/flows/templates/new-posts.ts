import type { FlowTemplate } from './flow-template.ts'

export const newPosts: FlowTemplate = {
  id: 'new-posts',
  title: 'Tell of new posts',
  summary: 'A blog has a new post. Whoever looks at the chat reads its title and opens it.',
  document: {
    name: 'New posts',
    description: 'Looks at a feed every fifteen minutes, and tells of each post once.',
    nodes: [
      {
        id: 'watch-1',
        type: 'watch',
        title: 'The blog',
        position: { x: 0, y: 0 },
        fields: { every: '15m', url: 'https://blog.example/feed.xml' }
      },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'For people',
        position: { x: 380, y: 0 },
        fields: { mode: 'Parser', template: '**{title}**\n{link}' }
      },
      {
        id: 'chat-output-1',
        type: 'chat-output',
        position: { x: 780, y: 0 },
        fields: { session: 'news' }
      }
    ],
    edges: [
      { from: 'watch-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Put the feed of your blog into **URL**, or an API that answers a list as JSON. Posts that are there already start nothing.',
        position: { x: 0, y: -140 },
        size: { width: 340, height: 110 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    id: 'https://blog.example/2026/bread',
    title: 'How we bake bread',
    link: 'https://blog.example/2026/bread',
    published: '2026-11-17T08:00:00.000Z',
    content: 'Flour, water, salt.'
  }
}
