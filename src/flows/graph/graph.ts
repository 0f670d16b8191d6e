import type { FlowDocument } from '../document/flow-document.ts'
import { orderOfRegions, parentsOf } from './regions.ts'

/** An edge taken apart. Node ids hold no dot, so the first one parts node and port; a port may hold any text. */
export interface Wire {
  readonly fromNode: string
  readonly fromPort: string
  readonly toNode: string
  readonly toPort: string
}

export interface End {
  readonly node: string
  readonly port: string
}

export function parseEnd(text: string): End | undefined {
  const dot = text.indexOf('.')
  if (dot <= 0 || dot === text.length - 1) return undefined
  return { node: text.slice(0, dot), port: text.slice(dot + 1) }
}

/** From node to node, whatever the ports. */
export type Link = Pick<Wire, 'fromNode' | 'toNode'>

/** Those of all edges that have two ends. */
export function linksOf(edges: readonly { readonly from: string; readonly to: string }[]): Link[] {
  return edges.flatMap(({ from, to }) => {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    return source === undefined || target === undefined
      ? []
      : [{ fromNode: source.node, toNode: target.node }]
  })
}

/** The wires of a document whose edges are known to be sound. */
export function wiresOf(document: FlowDocument): Wire[] {
  return document.edges.map((edge) => {
    const from = parseEnd(edge.from)
    const to = parseEnd(edge.to)
    if (from === undefined || to === undefined)
      throw new Error(`edge ${edge.from} -> ${edge.to} was not validated`)
    return { fromNode: from.node, fromPort: from.port, toNode: to.node, toPort: to.port }
  })
}

type Order =
  | { readonly sorted: readonly string[]; readonly cycle?: undefined }
  | { readonly cycle: readonly string[]; readonly sorted?: undefined }

/**
 * Nodes so that every wire points forward, those first that no wire leads to, in the order of the document; or
 * one cycle.
 * Kahn's algorithm; what is left over holds a cycle, found by walking back along wires.
 */
export function topologicalOrder(
  nodes: readonly string[],
  wires: readonly Pick<Wire, 'fromNode' | 'toNode'>[]
): Order {
  const known = new Set(nodes)
  const incoming = new Map<string, Set<string>>()
  const outgoing = new Map<string, Set<string>>()
  for (const { fromNode, toNode } of wires) {
    if (known.has(toNode)) addTo(incoming, toNode, fromNode)
    if (known.has(fromNode)) addTo(outgoing, fromNode, toNode)
  }
  const open = new Map(nodes.map((node) => [node, incoming.get(node)?.size ?? 0]))
  const sorted = nodes.filter((node) => open.get(node) === 0)
  for (const node of sorted) {
    for (const next of outgoing.get(node) ?? []) {
      const left = open.get(next)! - 1
      open.set(next, left)
      if (left === 0) sorted.push(next)
    }
  }
  if (sorted.length === nodes.length) return { sorted }
  return { cycle: findCycle(new Set(nodes.filter((node) => open.get(node)! > 0)), incoming) }
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}

/**
 * The ids of a sound document's nodes, in the order in which its plan has them. A region comes after all that leads to its
 * inside, and before its inside.
 */
export function nodeOrder(
  document: FlowDocument,
  wires: readonly Wire[] = wiresOf(document)
): readonly string[] {
  const ids = document.nodes.map((node) => node.id)
  // A region may lead from its own inside to its own inside: what an item is, its result may be.
  const between = wires.filter(({ fromNode, toNode }) => fromNode !== toNode)
  const { sorted, cycle } = topologicalOrder(ids, orderOfRegions(parentsOf(document.nodes), between))
  if (cycle !== undefined) throw new Error(`nodes ${cycle.join(' -> ')} were not validated`)
  return sorted
}

/** Every node of `tangled` has a predecessor inside it, so walking back must meet itself. */
function findCycle(
  tangled: ReadonlySet<string>,
  incoming: ReadonlyMap<string, ReadonlySet<string>>
): string[] {
  const path = new Set<string>()
  let node = [...tangled][0]!
  while (!path.has(node)) {
    path.add(node)
    node = incoming
      .get(node)!
      .values()
      .find((from) => tangled.has(from))!
  }
  const walked = [...path]
  const cycle = walked.slice(walked.indexOf(node)).reverse()
  return [...cycle, cycle[0]!]
}
