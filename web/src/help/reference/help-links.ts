/** Where references are shown: how a page of the help is addressed there, `components/parser#fields` for instance. */
export type LinkTo = (place: string) => string

/** The document that has more about a component, by its type. */
const GUIDES: Readonly<Record<string, string>> = {
  webhook: 'webhooks',
  form: 'form',
  parser: 'templates',
  prompt: 'templates',
  'chat-input': 'chat',
  'chat-output': 'chat',
  schedule: 'triggers',
  'run-failed': 'triggers',
  watch: 'triggers#watch',
  'api-request': 'api-request',
  'api-operation': 'api-operation',
  respond: 'answers',
  'language-model': 'language-model',
  'knowledge-write': 'knowledge',
  'knowledge-search': 'knowledge',
  agent: 'agents',
  'mcp-tools': 'agents#servers-of-tools-mcp',
  'mcp-call': 'agents#servers-of-tools-mcp',
  sql: 'sql',
  'send-email': 'sending',
  'send-webhook': 'sending',
  keep: 'keep',
  code: 'code',
  transform: 'transform',
  html: 'documents#html',
  'extract-text': 'documents#extract-text',
  'if-else': 'logic#if-else',
  switch: 'logic',
  merge: 'logic',
  'for-each': 'logic#for-each',
  repeat: 'logic#repeat',
  'run-flow': 'logic',
  stop: 'logic',
  return: 'logic',
  placeholder: 'import',
  delay: 'waiting',
  'wait-for-call': 'waiting',
  approve: 'waiting#approve'
}
/** By where a component is in the palette, for those that share a document. */
const OF_CATEGORY: Readonly<Record<string, string>> = { Data: 'data' }

/** Undefined for a component of a plugin. */
export function guideOf({ type, category, owner }: { type: string; category: string; owner: string }) {
  return owner === 'millrace' ? (GUIDES[type] ?? OF_CATEGORY[category]) : undefined
}
