import { conditionWords } from '../../../editor/conditions/condition-words.ts'
import type { Flow, Node } from '../../../editor/graph/flow.ts'
import { firstLine, firstText } from '../../../editor/graph/node-summary.ts'
import { cronWords } from '../../../editor/schedule/cron-words.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'

/*
 * Apart from the other parts of nodes: the canvas is drawn with these lines before the rest of the editor is loaded.
 */

/** By the type of the component; callers find the flow by the slug that is live, whatever is drawn. */
const SUMMARIES: Readonly<
  Record<string, (node: Node, live: Pick<Flow, 'slug'>, component: ComponentFacts) => string>
> = {
  form: (_node, { slug }) => `/form/${slug}`,
  webhook: (_node, { slug }) => `/webhook/${slug}`,
  parser: ({ fields }, _live, component) => {
    if (fields.mode === 'Stringify') return 'Stringify'
    // What is left out is not missing: the default works.
    return firstLine(fields.template ?? component.fields.template?.default) || 'No template'
  },
  'if-else': ({ fields }) => conditionWords(fields),
  'api-request': ({ fields }) => `${fields.method ?? 'GET'} ${firstLine(fields.url)}`,
  'api-operation': ({ fields }) => firstLine(fields.operation) || 'No operation',
  'send-email': ({ fields }) => `To ${firstLine(fields.to) || 'nobody yet'}`,
  'send-webhook': ({ fields }) =>
    `To ${firstLine(fields.url) || firstLine(fields.connection) || 'nobody yet'}`,
  sql: ({ fields }) => firstLine(fields.query) || 'No query',
  schedule: ({ fields }) => {
    const zone = firstLine(fields.timezone) || 'UTC'
    return `${cronWords(firstLine(fields.cron) || '0 9 * * *')}${zone === 'UTC' ? ' UTC' : `, ${zone}`}`
  },
  watch: ({ fields }) =>
    `${firstLine(fields.url) || firstLine(fields.connection) || 'No address'}, ${everyWords(firstLine(fields.every))}`,
  'run-failed': ({ fields }) => {
    const flows = Array.isArray(fields.flows) ? fields.flows : []
    return flows.length === 0 ? 'Any other flow here and below' : flows.join(', ')
  },
  'for-each': ({ fields }) => {
    const turns = Number(fields.concurrency ?? 1)
    return turns > 1 ? `${turns} items at a time` : 'One item after the other'
  },
  repeat: ({ fields }) => {
    const until = firstLine(fields.until)
    return until === '' ? `${fields.most ?? 100} rounds` : `Until ${until}`
  },
  placeholder: ({ fields }) => `Was ${firstLine(fields.was)}. ${firstLine(fields.nearest)}`,
  limit: ({ fields }) => `${fields.from === 'end' ? 'Last' : 'First'} ${fields.count ?? 10}`,
  'language-model': ({ fields }) => firstLine(fields.model) || 'No model',
  agent: ({ fields }) => firstLine(fields.model) || 'No model'
}

/** The one line of a node that matters; by itself the first text that somebody wrote. */
export function summaryOf(node: Node, component: ComponentFacts, live: Pick<Flow, 'slug'>): string {
  const own = Object.hasOwn(SUMMARIES, node.type) ? SUMMARIES[node.type]!(node, live, component) : undefined
  return own ?? firstText(node, component.fields) ?? component.description
}

/** `5m`, or a cron in words. */
function everyWords(every: string): string {
  if (every === '') return 'every 5m'
  return every.includes(' ') || every.startsWith('@') ? cronWords(every) : `every ${every}`
}
