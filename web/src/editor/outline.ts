import { parseEnd, topologicalOrder } from '../../../src/flows/graph/graph.ts'
import { nestedOrder, orderOfRegions, parentsOf } from '../../../src/flows/graph/regions.ts'
import { type Flow, type Node, nodeOfEnd } from './graph/flow.ts'
import { indexWires, type WireIndex } from './graph/wire-index.ts'
import { drawnInputs, drawnOutputs } from './wiring/drawn-ports.ts'
import type { PageCatalogue } from './wiring/page-catalogue.ts'
import { nodesReadBy } from './wiring/references.ts'

/** The graph as a list, for the keyboard and for readers of the screen: in the order in which it runs. */
export interface OutlineNode {
  readonly id: string
  readonly title: string
  readonly component: string
  /** The most steps that lie before it: 1 for a node that nothing feeds. */
  readonly level: number
  /** The title of the region that it stands in. */
  readonly inside: string | undefined
  readonly inputs: readonly OutlineInput[]
  readonly outputs: readonly OutlineOutput[]
  /** The titles of the nodes that it reads without a wire. */
  readonly reads: readonly string[]
  /** The node in one sentence. */
  readonly sentence: string
}

interface OutlineInput {
  readonly port: string
  readonly title: string
  readonly type: string
  /** Several where several wires lead to it: the first that carries something counts. */
  readonly from: readonly OutlineEnd[]
}

interface OutlineOutput {
  readonly port: string
  readonly title: string
  readonly type: string
  readonly to: readonly OutlineEnd[]
}

interface OutlineEnd {
  readonly node: string
  readonly nodeTitle: string
  readonly port: string
}

export function outlineOf(flow: Flow, catalogue: PageCatalogue): OutlineNode[] {
  const order = runningOrder(flow)
  const wires = indexWires(flow)
  const levels = levelsOf(wires, order)
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const ids = new Set(byId.keys())
  const parents = parentsOf(flow.nodes)
  return order.map((id) => describeNode(byId.get(id)!))

  function describeNode(node: Node): OutlineNode {
    const inputs = drawnInputs(wires, catalogue, node).map(({ name, port, fedBy, wires: several }) => ({
      port: name,
      title: port.title,
      type: port.type,
      from: (several ?? (fedBy === undefined ? [] : [fedBy])).map(({ from }) => endOf(from))
    }))
    const led = Map.groupBy(wires.outOf.get(node.id) ?? [], ({ from }) => from)
    const outputs = drawnOutputs(wires, catalogue, node).map(({ name, port, isInside }) => ({
      port: name,
      title: port.title,
      type: port.type,
      to: (led.get(`${node.id}.${name}`) ?? [])
        .filter(({ to }) => isInside === undefined || isTo(to, node.id) === isInside)
        .map(({ to }) => endOf(to))
    }))
    const title = catalogue.titleOf(node)
    const component = catalogue.facts(node.type)?.title ?? node.type
    const region = byId.get(parents.get(node.id) ?? '')
    const inside = region === undefined ? undefined : catalogue.titleOf(region)
    const level = levels.get(node.id) ?? 1
    const reads = nodesReadBy(node, ids).map((id) => catalogue.titleOf(byId.get(id)!))
    const parts = { id: node.id, title, component, level, inside, inputs, outputs, reads }
    return { ...parts, sentence: sentenceOf(parts) }
  }

  /** Whether a wire ends inside this region. */
  function isTo(text: string, region: string): boolean {
    const to = parseEnd(text)?.node ?? ''
    return to === region || parents.get(to) === region
  }

  function endOf(text: string): OutlineEnd {
    const { node, port } = parseEnd(text) ?? { node: text, port: '' }
    const found = byId.get(node)
    return { node, nodeTitle: found === undefined ? node : catalogue.titleOf(found), port }
  }
}

/** A flow with a cycle has no such order; then that of the document has to do. */
function runningOrder(flow: Flow): readonly string[] {
  const ids = flow.nodes.map(({ id }) => id)
  const wires = flow.edges.map(({ from, to }) => ({ fromNode: nodeOfEnd(from), toNode: nodeOfEnd(to) }))
  const present = new Set(ids)
  // A region may lead from its inside to its inside.
  const sound = wires.filter(
    ({ fromNode, toNode }) => fromNode !== toNode && present.has(fromNode) && present.has(toNode)
  )
  const parents = parentsOf(flow.nodes)
  return nestedOrder(topologicalOrder(ids, orderOfRegions(parents, sound)).sorted ?? ids, parents)
}

function levelsOf({ into }: WireIndex, order: readonly string[]): Map<string, number> {
  const levels = new Map<string, number>()
  for (const id of order) {
    const before = (into.get(id) ?? []).map(({ from }) => levels.get(nodeOfEnd(from)) ?? 0)
    levels.set(id, Math.max(0, ...before) + 1)
  }
  return levels
}

function sentenceOf(node: Omit<OutlineNode, 'sentence'>): string {
  const name = node.title === node.component ? node.title : `${node.title}, a ${node.component}`
  const fed = node.inputs.flatMap(({ title, from }) =>
    from.length === 0 ? [] : [`${title} from ${from.map(({ nodeTitle }) => nodeTitle).join(' or ')}`]
  )
  const open = node.inputs.filter(({ from }) => from.length === 0).map(({ title }) => title)
  const given = node.outputs.flatMap(({ title, to }) =>
    to.length === 0 ? [] : [`${title} to ${listed(to.map(({ nodeTitle }) => nodeTitle))}`]
  )
  return [
    `${name} (${node.id})${node.inside === undefined ? '' : `, inside ${node.inside}`}.`,
    fed.length === 0 ? '' : `Takes ${listed(fed)}.`,
    node.reads.length === 0 ? '' : `Reads ${listed(node.reads)}.`,
    open.length === 0 ? '' : `Nothing feeds ${listed(open)}.`,
    given.length === 0 ? 'Feeds nothing.' : `Gives ${listed(given)}.`
  ]
    .filter((part) => part !== '')
    .join(' ')
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
