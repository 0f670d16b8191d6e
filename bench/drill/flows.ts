import { CLOCK, CLOCK_WAY, ITEM_WAY, PROGRAM, PROGRAM_SLUG, PROGRAM_WAY, SUB, SUB_WAY } from './program.ts'
import { ALERT, CANCELLED, CANCELLED_SLUG, REPEAT, REPEAT_SLUG, REPEAT_WAYS } from './repeat.ts'

/**
 * The flows that the drill sends to: one whose steps reach outside, one that is pure, one that is a program, one whose items
 * break, and one that is cancelled.
 */

export type FlowName = 'ledger' | 'pure' | 'program' | 'repeat' | 'cancelled'

export interface DrillFlow {
  readonly slug: string
  /** All nodes, in the order in which they run. */
  readonly nodes: readonly string[]
  readonly document: object
}

type Node = [id: string, type: string, fields: object]

const PORTS: Readonly<Record<string, readonly [input: string, output: string]>> = {
  webhook: ['', 'data'],
  parser: ['data', 'parsed_text'],
  ledger: ['text', 'text'],
  'chat-output': ['text', 'message']
}

export const LEDGER_NODES = ['ledger-1', 'ledger-2'] as const

/** All that reach outside: those of one run, in the order in which they run. */
export const LEDGER_WAYS: readonly (readonly string[])[] = [
  LEDGER_NODES,
  ITEM_WAY,
  SUB_WAY,
  PROGRAM_WAY,
  CLOCK_WAY,
  ...REPEAT_WAYS
]

export const FLOWS: Readonly<Record<FlowName, DrillFlow>> = {
  ledger: chain('drill-ledger', [
    ['webhook-1', 'webhook', {}],
    ['parser-1', 'parser', { mode: 'Parser', template: 'Order {order_id} from {customer}' }],
    ['ledger-1', 'ledger', {}],
    ['ledger-2', 'ledger', {}],
    ['chat-output-1', 'chat-output', {}]
  ]),
  pure: chain('drill-pure', [
    ['webhook-1', 'webhook', {}],
    ['parser-1', 'parser', { mode: 'Stringify' }],
    ['chat-output-1', 'chat-output', {}]
  ]),
  program: withRegions(PROGRAM_SLUG, PROGRAM),
  repeat: withRegions(REPEAT_SLUG, REPEAT),
  cancelled: withRegions(CANCELLED_SLUG, CANCELLED)
}

/** Those that nothing is sent to: the flow that the program runs, and those that the clock and failures start. */
export const OTHER_FLOWS: readonly object[] = [SUB, CLOCK, ALERT]

interface DocumentWithRegions {
  readonly nodes: readonly { readonly id: string; readonly parent?: string }[]
}

function withRegions(slug: string, document: DocumentWithRegions): DrillFlow {
  const own = document.nodes.filter(({ parent }) => parent === undefined)
  return { slug, nodes: own.map(({ id }) => id), document }
}

function chain(slug: string, nodes: readonly Node[]): DrillFlow {
  const edges = nodes.slice(1).map(([id, type], index) => {
    const [before, beforeType] = nodes[index]!
    return { from: `${before}.${PORTS[beforeType]![1]}`, to: `${id}.${PORTS[type]![0]}` }
  })
  return {
    slug,
    nodes: nodes.map(([id]) => id),
    document: {
      name: slug,
      slug,
      context: '/',
      nodes: nodes.map(([id, type, fields], x) => ({ id, type, position: { x: x * 320, y: 0 }, fields })),
      edges
    }
  }
}
