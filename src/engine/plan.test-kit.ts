import type { Catalogue } from '../flows/component/catalogue.ts'
import type { AnyComponent, RunTrigger } from '../flows/component/component.ts'
import type { Ports, PortType } from '../flows/component/ports.ts'
import type { FlowNode } from '../flows/document/flow-document.ts'
import { type Plan, planFlow } from './plan.ts'
import { planTest, type TestScope } from './plan-test.ts'

/**
 * A plan from a drawing: chains of nodes, parted by line ends or semicolons.
 *
 *     A -> B! -> D
 *     A -> C  -> D
 *     W(webhook) -> A
 *
 * `!` marks a step that reaches outside, `(scheduled)` one that is tried again by a schedule, `(webhook)` a trigger. Every node has the output `out`, and an input for
 * each node that a wire comes from, named like that node.
 */
export function plan(drawing: string, nodes: Readonly<Record<string, NodeOptions>> = {}): Plan {
  const seen = new Map<string, FlowNode>()
  const edges = new Set<string>()
  for (const chain of drawing.split(/[\n;]/).filter((line) => line.trim() !== '')) {
    let before: string | undefined
    for (const text of chain.split('->')) {
      const { id, type } = readNode(text.trim())
      if (!seen.has(id) || type !== 'pure') seen.set(id, flowNode(id, type, nodes[id]))
      if (before !== undefined) edges.add(`${before}.out ${id}.${before}`)
      before = id
    }
  }
  const document = {
    name: 'Test',
    slug: 'test',
    context: '/',
    nodes: [...seen.values()],
    edges: [...edges].map((edge) => ({ from: edge.split(' ')[0]!, to: edge.split(' ')[1]! }))
  }
  return planFlow({ id: 'flow-1', version: 1, document }, stubCatalogue)
}

/** A plan of nodes and wires, as `A.left B.in`: for what depends on the ports. */
export function wiredPlan(
  nodes: Readonly<Record<string, Partial<FlowNode>>>,
  wires: readonly string[]
): Plan {
  return planFlow(wiredFlow(nodes, wires), stubCatalogue)
}

/** The same, as a test runs it. */
export function wiredTest(
  nodes: Readonly<Record<string, Partial<FlowNode>>>,
  wires: readonly string[],
  scope: TestScope
): Plan {
  return planTest(wiredFlow(nodes, wires), scope, stubCatalogue)
}

function wiredFlow(nodes: Readonly<Record<string, Partial<FlowNode>>>, wires: readonly string[]) {
  const document = {
    name: 'Test',
    slug: 'test',
    context: '/',
    nodes: Object.entries(nodes).map(([id, node]) => ({ ...flowNode(id, 'pure'), ...node })),
    edges: wires.map((wire) => ({ from: wire.split(' ')[0]!, to: wire.split(' ')[1]! }))
  }
  return { id: 'flow-1', version: 1, document }
}

export type NodeOptions = Partial<Pick<FlowNode, 'fields' | 'retry' | 'timeout_ms' | 'disabled'>>

/** The number of a node in its plan. */
export function at(of: Plan, id: string): number {
  return of.nodes.findIndex((node) => node.id === id)
}

function readNode(text: string): { id: string; type: string } {
  const match = /^(\w+)(!)?(?:\((webhook|chat|api|scheduled)\))?$/.exec(text)
  if (match === null) throw new Error(`"${text}" is not a node of a drawing`)
  return { id: match[1]!, type: match[3] ?? (match[2] === '!' ? 'external' : 'pure') }
}

function flowNode(id: string, type: string, options: NodeOptions = {}): FlowNode {
  return { id, type, position: { x: 0, y: 0 }, fields: {}, ...options }
}

function stub(type: string, more: Partial<AnyComponent>): AnyComponent {
  return { type, title: type, run: () => ({}), ...more }
}

function ports(type: PortType, ...names: readonly string[]): Ports {
  return Object.fromEntries(names.map((name) => [name, { title: name, type }]))
}

const FORK = { inputs: ports('data', 'in', 'more'), outputs: ports('data', 'left', 'right') }

const TEXT = { text: { kind: 'template', title: 'Text' } } as const

const components = new Map(
  [
    stub('pure', { effects: 'pure', fields: TEXT }),
    stub('external', { fields: TEXT }),
    stub('scheduled', { retry: { attempts: 4, schedule: [5_000, 3_600_000] } }),
    stub('ports', { effects: 'pure', ...FORK }),
    stub('ports-outside', FORK),
    stub('misfit', { effects: 'pure', inputs: ports('data', 'in'), outputs: ports('text', 'left', 'right') }),
    ...(['webhook', 'chat', 'api'] satisfies RunTrigger[]).map((trigger) =>
      stub(trigger, { effects: 'pure', trigger })
    )
  ].map((component) => [component.type, component])
)

export const stubCatalogue: Catalogue = {
  find: (_context, type) => components.get(type),
  hasContext: () => true,
  explainMissing: () => 'It is not there.'
}
