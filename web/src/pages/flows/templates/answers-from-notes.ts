import type { FlowTemplate } from './flow-template.ts'

const EMBED = {
  connection: 'embeddings',
  method: 'POST',
  url: '/embeddings',
  body: { model: 'text-embedding-3-small', input: '{$data}' }
}

export const answersFromNotes: FlowTemplate = {
  id: 'answers-from-notes',
  title: 'Answers from your own texts',
  summary:
    'Texts that are sent are cut up and kept with what they mean; questions are answered from those that fit best.',
  document: {
    name: 'Answers from notes',
    description: 'Keeps texts by their meaning, and answers questions from them alone.',
    nodes: [
      { id: 'webhook-1', type: 'webhook', title: 'A text', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'parser-1',
        type: 'parser',
        title: 'Title and text',
        position: { x: 340, y: 0 },
        fields: { template: '{title}\n\n{text}' }
      },
      {
        id: 'split-text-1',
        type: 'split-text',
        title: 'Cut up',
        position: { x: 680, y: 0 },
        fields: { mode: 'Length', length: 1000, overlap: 100 }
      },
      {
        id: 'for-each-1',
        type: 'for-each',
        title: 'Each piece',
        position: { x: 1020, y: -60 },
        size: { width: 800, height: 280 },
        fields: { concurrency: 4 }
      },
      {
        id: 'api-request-1',
        type: 'api-request',
        title: 'What it means',
        parent: 'for-each-1',
        position: { x: 1110, y: 40 },
        retry: { attempts: 4, backoff_ms: 2000 },
        fields: EMBED
      },
      {
        id: 'sql-1',
        type: 'sql',
        title: 'Keep it',
        parent: 'for-each-1',
        position: { x: 1480, y: 40 },
        fields: {
          connection: 'notes-database',
          query:
            'insert into pieces (title, place, text, meaning)\nvalues (:title, :place, :text, :meaning)\non conflict (title, place) do update set text = excluded.text, meaning = excluded.meaning',
          parameters: {
            title: '{$nodes.webhook-1.data.title}',
            place: '{$nodes.for-each-1.index}',
            text: '{$nodes.for-each-1.item}',
            meaning: '{data[0].embedding}'
          }
        }
      },
      {
        id: 'chat-input-1',
        type: 'chat-input',
        title: 'A question',
        position: { x: 0, y: 420 },
        fields: {}
      },
      {
        id: 'api-request-2',
        type: 'api-request',
        title: 'What is meant',
        position: { x: 340, y: 420 },
        retry: { attempts: 4, backoff_ms: 2000 },
        fields: EMBED
      },
      {
        id: 'sql-2',
        type: 'sql',
        title: 'What fits best',
        position: { x: 680, y: 420 },
        fields: {
          connection: 'notes-database',
          query:
            "select group_concat(text, '\n\n') as texts from (\n  select text from pieces\n  order by (\n    select sum(a.value * b.value) from json_each(pieces.meaning) a join json_each(:meaning) b on a.key = b.key\n  ) desc\n  limit 4\n)",
          parameters: { meaning: '{data[0].embedding}' }
        }
      },
      {
        id: 'language-model-1',
        type: 'language-model',
        title: 'The answer',
        position: { x: 1020, y: 420 },
        fields: {
          connection: 'models',
          model: 'gpt-5-mini',
          system: 'Answer from the notes alone, and say so where they do not tell.',
          prompt: 'Notes:\n{data[0].texts?}\n\nQuestion: {$nodes.chat-input-1.message}'
        }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 1400, y: 420 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'split-text-1.text' },
      { from: 'split-text-1.data', to: 'for-each-1.items' },
      { from: 'for-each-1.item', to: 'api-request-1.data' },
      { from: 'api-request-1.body', to: 'sql-1.data' },
      { from: 'sql-1.result', to: 'for-each-1.result' },
      { from: 'chat-input-1.message', to: 'api-request-2.data' },
      { from: 'api-request-2.body', to: 'sql-2.data' },
      { from: 'sql-2.rows', to: 'language-model-1.data' },
      { from: 'language-model-1.text', to: 'chat-output-1.text' }
    ],
    notes: [
      {
        id: 'note-1',
        text: 'Connections: *embeddings* (HTTP, the address of your model’s API), *models*, and *notes-database* (SQLite) with `create table pieces (title, place, text, meaning, primary key (title, place))`. Send texts to the Webhook, then ask in the Playground.',
        position: { x: 0, y: -200 },
        size: { width: 460, height: 140 },
        colour: 'yellow'
      }
    ]
  },
  sample: {
    title: 'Opening hours',
    text: 'The mill is open from Tuesday to Saturday, from nine to five. On Mondays the wheel is cleaned.'
  }
}
