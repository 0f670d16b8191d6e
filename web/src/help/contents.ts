interface Chapter {
  readonly title: string
  /** Names of files in docs/, without their ending. */
  readonly pages: readonly string[]
}

/** The documents by what people want to do, in the order in which they are read. */
export const CHAPTERS: readonly Chapter[] = [
  { title: 'Begin', pages: ['tutorial', 'recipes', 'glossary', 'from-n8n', 'from-langflow'] },
  { title: 'Build flows', pages: ['build-flows', 'templates', 'runs', 'manage-flows', 'keys'] },
  { title: 'Start flows', pages: ['webhooks', 'senders', 'form', 'triggers', 'chat', 'answers'] },
  { title: 'Decide and wait', pages: ['logic', 'waiting'] },
  { title: 'Work on data', pages: ['data', 'documents', 'files', 'code', 'transform', 'keep'] },
  { title: 'Reach out', pages: ['connections', 'api-request', 'api-operation', 'sql', 'sending'] },
  { title: 'Models', pages: ['language-model', 'agents', 'knowledge', 'mcp', 'assistant', 'costs'] },
  { title: 'Move flows', pages: ['import', 'flows-as-files', 'command-line'] },
  { title: 'Run and extend it', pages: ['operator-guide', 'extending'] }
]

/** What is made from the service itself. */
export const REFERENCE = [
  {
    page: 'components',
    title: 'Components',
    about: 'Each node that flows are made of: its fields, inputs and outputs.'
  },
  {
    page: 'api',
    title: 'API',
    about:
      'Each request that the service takes, with what it answers. The OpenAPI document, curl, and Try it.'
  },
  { page: 'errors', title: 'Errors', about: 'Each code of an error, and what to do about it.' }
] as const
