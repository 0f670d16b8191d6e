/**
 * A flow of the drill that is a program: it branches and comes together, repeats over a list with steps that reach outside,
 * waits for a time and for a call, and runs another flow that waits too. Beside it, a flow that the clock starts.
 */

interface NodeOptions {
  readonly fields?: object
  readonly parent?: string
  readonly disabled?: true
}

const node = (id: string, type: string, options: NodeOptions = {}) => ({
  id,
  type,
  position: { x: 0, y: 0 },
  ...options
})

const edge = (from: string, to: string) => ({ from, to })

export const PROGRAM_SLUG = 'drill-program'
export const CLOCK_SLUG = 'drill-clock'
/** The node of the program that waits for a call, and the one that tells where. */
const CALL = 'call-1'
const ADDRESS = 'address'

export const PROGRAM = {
  name: PROGRAM_SLUG,
  slug: PROGRAM_SLUG,
  context: '/',
  nodes: [
    node('webhook-1', 'webhook'),
    node(ADDRESS, 'parser', { fields: { template: `{$resume.${CALL}}` } }),
    node('is-long', 'if-else', { fields: { mode: 'Expression', expression: 'size(data) > 2' } }),
    node('long', 'parser', { fields: { template: 'long {line}', separator: ',' } }),
    node('short', 'parser', { fields: { template: 'short {line}', separator: ',' } }),
    node('either', 'merge', { fields: { mode: 'List' } }),
    node('each', 'for-each', { fields: { concurrency: 3 } }),
    node('line', 'parser', { parent: 'each', fields: { template: '{line}' } }),
    node('item-1', 'ledger', { parent: 'each' }),
    node('moment', 'delay', { parent: 'each', fields: { for: '0.2s' } }),
    node('item-2', 'ledger', { parent: 'each' }),
    node('later', 'delay', { fields: { for: '1s' } }),
    node(CALL, 'wait-for-call'),
    node('sub', 'run-flow', { fields: { flow: 'drill-sub' } }),
    node('end-1', 'ledger'),
    node('all', 'merge', { fields: { mode: 'List', inputs: 4 } }),
    node('answer', 'return')
  ],
  edges: [
    edge('webhook-1.data', `${ADDRESS}.data`),
    edge('webhook-1.data', 'is-long.data'),
    edge('is-long.true', 'long.data'),
    edge('is-long.false', 'short.data'),
    edge('long.parsed_text', 'either.in_1'),
    edge('short.parsed_text', 'either.in_2'),
    edge('webhook-1.data', 'each.items'),
    edge('each.item', 'line.data'),
    edge('line.parsed_text', 'item-1.text'),
    edge('item-1.text', 'moment.data'),
    edge('moment.data', 'item-2.text'),
    edge('item-2.text', 'each.result'),
    edge('each.results', 'later.data'),
    edge('later.data', `${CALL}.data`),
    edge(`${CALL}.data`, 'sub.data'),
    edge('sub.data', 'end-1.text'),
    edge('either.data', 'all.in_1'),
    edge('later.data', 'all.in_2'),
    edge(`${CALL}.data`, 'all.in_3'),
    edge('end-1.text', 'all.in_4'),
    edge('all.data', 'answer.data')
  ]
}

export const SUB = {
  name: 'drill-sub',
  slug: 'drill-sub',
  context: '/',
  nodes: [
    node('webhook-1', 'webhook'),
    node('moment', 'delay', { fields: { for: '0.5s' } }),
    node('line', 'parser', { fields: { template: 'paid by {call}' } }),
    node('sub-1', 'ledger'),
    node('answer', 'return')
  ],
  edges: [
    edge('webhook-1.data', 'moment.data'),
    edge('moment.data', 'line.data'),
    edge('line.parsed_text', 'sub-1.text'),
    edge('sub-1.text', 'answer.data')
  ]
}

export const CLOCK = clock({})
export const STOPPED_CLOCK = clock({ disabled: true })

function clock(schedule: NodeOptions) {
  return {
    name: CLOCK_SLUG,
    slug: CLOCK_SLUG,
    context: '/',
    nodes: [
      node('schedule-1', 'schedule', { fields: { cron: '* * * * * *' }, ...schedule }),
      node('line', 'parser', { fields: { template: '{scheduled_at}' } }),
      node('tick-1', 'ledger')
    ],
    edges: [edge('schedule-1.data', 'line.data'), edge('line.parsed_text', 'tick-1.text')]
  }
}

/** Where steps of the program reach outside: those of one run, in the order in which they run. */
export const ITEM_WAY = ['item-1', 'item-2'] as const
export const SUB_WAY = ['sub-1'] as const
export const PROGRAM_WAY = ['end-1'] as const
export const CLOCK_WAY = ['tick-1'] as const

export interface Item {
  readonly line: string
}

/** The children that a run of the program has to have in the end, as node and index. */
export function childrenOf(items: readonly Item[]): string[] {
  return [...items.map((_, index) => `each ${index}`), 'sub 0']
}

/** The node on the branch that a run with these items does not take. */
export function skippedBy(items: readonly Item[]): string {
  return items.length > 2 ? 'short' : 'long'
}

/** What a run of the program gives back that got these items and was called with this. */
export function outputOf(items: readonly Item[], call: string): unknown {
  const word = items.length > 2 ? 'long' : 'short'
  return [
    [items.map(({ line }) => `${word} ${line}`).join(',')],
    items.map(({ line }) => line),
    { call },
    `paid by ${call}`
  ]
}

interface SeenStep {
  readonly node: string
  readonly outputs?: { readonly parsed_text?: string } | null
}

/** The path to be called, as the run has given it out; undefined where it has not got there. */
export function addressIn(steps: readonly SeenStep[]): string | undefined {
  const text = steps.find((step) => step.node === ADDRESS)?.outputs?.parsed_text
  // The data is a list, and the address stands there once for each item.
  return text === undefined ? undefined : new URL(text.split('\n')[0]!).pathname
}
