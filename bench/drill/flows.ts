/** The two flows of the drill: one whose steps reach outside, and one that is pure. */

export type FlowName = 'ledger' | 'pure'

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
  ])
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
