import { type ExpectedChild, edge, type NodeOptions, node } from './drill-node.ts'

/**
 * A flow of the drill that is a program: it branches and comes together, repeats over a list with steps that reach outside,
 * waits for a time and for a call, and runs another flow that waits too, for a time and for a person. Beside it, a flow that the
 * clock starts.
 */

export const PROGRAM_SLUG = 'drill-program'
export const SUB_SLUG = 'drill-sub'
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
    node('sub', 'run-flow', { fields: { flow: SUB_SLUG } }),
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
  name: SUB_SLUG,
  slug: SUB_SLUG,
  context: '/',
  nodes: [
    node('webhook-1', 'webhook'),
    node('moment', 'delay', { fields: { for: '0.5s' } }),
    node('ask', 'approve', { fields: { question: 'Pay for {call}?' } }),
    node('line', 'parser', { fields: { template: 'paid by {data.call}, {comment}' } }),
    node('sub-1', 'ledger'),
    node('answer', 'return')
  ],
  edges: [
    edge('webhook-1.data', 'moment.data'),
    edge('moment.data', 'ask.data'),
    edge('ask.approve', 'line.data'),
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

/** By node and index. */
export function childrenOfProgram(items: readonly Item[]): Map<string, ExpectedChild> {
  const each = items.map((_, index): [string, ExpectedChild] => [
    `each ${index}`,
    { effects: ITEM_WAY, status: 'succeeded' }
  ])
  return new Map([...each, ['sub 0', { effects: SUB_WAY, status: 'succeeded' }]])
}

/** The node on the branch that a run with these items does not take. */
export function skippedBy(items: readonly Item[]): string {
  return items.length > 2 ? 'short' : 'long'
}

/** The comment of the answer with which the program went on that gave this. */
export function commentIn(output: unknown): string {
  const last = Array.isArray(output) ? output.at(-1) : undefined
  return typeof last === 'string' ? last.slice(last.indexOf(', ') + 2) : ''
}

/** What a run of the program gives back that got these items, was called with this, and whose question was answered with this. */
export function outputOf(items: readonly Item[], call: string, comment: string): unknown {
  const word = items.length > 2 ? 'long' : 'short'
  return [
    [items.map(({ line }) => `${word} ${line}`).join(',')],
    items.map(({ line }) => line),
    { call },
    `paid by ${call}, ${comment}`
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
