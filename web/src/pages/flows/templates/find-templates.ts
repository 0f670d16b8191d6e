import type { FlowTemplate } from './flow-template.ts'

/** What somebody looks for a template by. A template may belong to several. */
export const TOPICS = {
  webhook: 'By webhook',
  form: 'By a form',
  clock: 'Start by themselves',
  people: 'Ask or wait',
  model: 'With a model',
  services: 'Reach services'
} as const

export type Topic = keyof typeof TOPICS

const BY_TYPE: Readonly<Record<Topic, readonly string[]>> = {
  webhook: ['webhook'],
  form: ['form'],
  clock: ['schedule', 'watch', 'run-failed'],
  people: ['approve', 'wait-for-call', 'delay'],
  model: ['language-model', 'agent', 'chat-input'],
  services: ['api-request', 'api-operation', 'sql', 'send-email', 'send-webhook', 'mcp-call']
}

type Found = Pick<FlowTemplate, 'title' | 'summary' | 'document'>

function topicsOf({ document }: Pick<Found, 'document'>): Topic[] {
  const types = new Set(document.nodes.map(({ type }) => type))
  return (Object.keys(TOPICS) as Topic[]).filter((topic) => BY_TYPE[topic].some((type) => types.has(type)))
}

/**
 * Those of a topic in which every word of a search is found, in their title first. Nodes are looked at where no template says the words:
 * nearly all have a Chat Output, and who types "chat" means none of these. `titleOf` says what a node of a type is called.
 */
export function findTemplates<T extends Found>(
  templates: readonly T[],
  { search, topic }: { readonly search: string; readonly topic: Topic | undefined },
  titleOf: (type: string) => string
): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const ofTopic = templates.filter((template) => topic === undefined || topicsOf(template).includes(topic))
  const having = (textOf: (template: T) => string) =>
    ofTopic.filter((template) => words.every((word) => textOf(template).toLowerCase().includes(word)))
  const said = having(({ title, summary }) => `${title} ${summary}`)
  if (said.length > 0) return [...new Set([...having(({ title }) => title), ...said])]
  return having(({ title, summary, document }) =>
    [title, summary, ...document.nodes.map(({ type }) => titleOf(type))].join(' ')
  )
}
