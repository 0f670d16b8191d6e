import { type ExpectedChild, edge, node } from './drill-node.ts'

/**
 * Flows of the drill in which things go wrong: one whose items break, in a For each that collects what went wrong beside
 * one that stops with it, until it is mended and the run is retried; one that is told of every such failure; and one that is cancelled while
 * its items wait.
 */

export const REPEAT_SLUG = 'drill-repeat'
export const ALERT_SLUG = 'drill-alert'
export const CANCELLED_SLUG = 'drill-cancelled'

export interface BreakableItem {
  readonly line: string
  readonly breaks: boolean
}

const BROKEN = 'broken'

export const REPEAT = {
  name: REPEAT_SLUG,
  slug: REPEAT_SLUG,
  context: '/',
  nodes: [
    node('webhook-1', 'webhook'),
    node('collected', 'for-each', { fields: { concurrency: 3, failures: 'collect' } }),
    node('breaks', 'if-else', {
      parent: 'collected',
      fields: { mode: 'Expression', expression: 'data.breaks' }
    }),
    node('stop-1', 'stop', {
      parent: 'collected',
      fields: { message: 'Item {line} is broken', code: BROKEN }
    }),
    node('whole', 'parser', { parent: 'collected', fields: { template: '{line}' } }),
    node('kept-1', 'ledger', { parent: 'collected' }),
    node('strict', 'for-each', { fields: { concurrency: 2, failures: 'stop' } }),
    node('line', 'parser', { parent: 'strict', fields: { template: '{line}' } }),
    node('strict-1', 'ledger', { parent: 'strict' }),
    node('fragile-1', 'fragile', { parent: 'strict' }),
    node('strict-2', 'ledger', { parent: 'strict' }),
    node('all', 'merge', { fields: { mode: 'List', inputs: 3 } }),
    node('answer', 'return')
  ],
  edges: [
    edge('webhook-1.data', 'collected.items'),
    edge('collected.item', 'breaks.data'),
    edge('breaks.true', 'stop-1.data'),
    edge('breaks.false', 'whole.data'),
    edge('whole.parsed_text', 'kept-1.text'),
    edge('kept-1.text', 'collected.result'),
    edge('webhook-1.data', 'strict.items'),
    edge('strict.item', 'line.data'),
    edge('line.parsed_text', 'strict-1.text'),
    edge('strict-1.text', 'fragile-1.text'),
    edge('fragile-1.text', 'strict-2.text'),
    edge('strict-2.text', 'strict.result'),
    edge('collected.results', 'all.in_1'),
    edge('collected.errors', 'all.in_2'),
    edge('strict.results', 'all.in_3'),
    edge('all.data', 'answer.data')
  ]
}

export const ALERT = {
  name: ALERT_SLUG,
  slug: ALERT_SLUG,
  context: '/',
  nodes: [
    node('failed-1', 'run-failed', { fields: { flows: [REPEAT_SLUG] } }),
    node('line', 'parser', { fields: { template: '{run_id}' } }),
    node('alert-1', 'ledger')
  ],
  edges: [edge('failed-1.data', 'line.data'), edge('line.parsed_text', 'alert-1.text')]
}

export const CANCELLED = {
  name: CANCELLED_SLUG,
  slug: CANCELLED_SLUG,
  context: '/',
  nodes: [
    node('webhook-1', 'webhook'),
    node('each', 'for-each', { fields: { concurrency: 2 } }),
    node('line', 'parser', { parent: 'each', fields: { template: '{line}' } }),
    node('begun-1', 'ledger', { parent: 'each' }),
    node('for-ever', 'delay', { parent: 'each', fields: { for: '1d' } })
  ],
  edges: [
    edge('webhook-1.data', 'each.items'),
    edge('each.item', 'line.data'),
    edge('line.parsed_text', 'begun-1.text'),
    edge('begun-1.text', 'for-ever.data'),
    edge('for-ever.data', 'each.result')
  ]
}

const KEPT_WAY = ['kept-1'] as const
const STRICT_WAY = ['strict-1', 'strict-2'] as const
export const ALERT_WAY = ['alert-1'] as const
/** Where steps of these flows reach outside: those of one run, in the order in which they run. */
export const REPEAT_WAYS = [KEPT_WAY, STRICT_WAY, ALERT_WAY, ['begun-1']] as const

/** By node and index. */
export function childrenOfRepeat(items: readonly BreakableItem[]): Map<string, ExpectedChild> {
  const collected = items.map(({ breaks }, index): [string, ExpectedChild] => [
    `collected ${index}`,
    breaks ? { effects: [], status: 'failed' } : { effects: KEPT_WAY, status: 'succeeded' }
  ])
  const strict = items.map((_, index): [string, ExpectedChild] => [
    `strict ${index}`,
    { effects: STRICT_WAY, status: 'succeeded' }
  ])
  return new Map([...collected, ...strict])
}

/** What is wrong with what a run of it gave back in the end, whatever happened on the way. */
export function faultOfRepeat(items: readonly BreakableItem[], output: unknown): string | undefined {
  const [results, errors, strict] = output as [unknown[], { index: number; code: string }[], unknown[]]
  const seen = [results, errors.map(({ index, code }) => `${code} ${index}`), strict]
  const expected = [
    items.map(({ line, breaks }) => (breaks ? null : line)),
    items.flatMap(({ breaks }, index) => (breaks ? [`${BROKEN} ${index}`] : [])),
    items.map(({ line }) => line)
  ]
  const [isSame, text] = [JSON.stringify(seen) === JSON.stringify(expected), JSON.stringify(output)]
  return isSame ? undefined : `gave ${text}`
}
