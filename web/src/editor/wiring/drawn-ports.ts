import type { Port, Ports } from '../../../../src/flows/component.ts'
import { parseEnd } from '../../../../src/flows/graph.ts'
import type { Edge, Flow, Node } from '../graph/flow.ts'
import type { PageCatalogue } from './page-catalogue.ts'

export interface DrawnPort {
  readonly name: string
  readonly port: Port
  /** What feeds an input. */
  readonly fedBy?: Edge
  /** The node has no such input (any more); it is drawn because a wire still leads to it. */
  readonly isGone: boolean
}

/**
 * The inputs that a node is drawn with: those that it has, and those that wires still lead to. While a template is
 * being typed it names half a variable or does not compile; the wires must not fall off at every key stroke.
 */
export function drawnInputs(flow: Flow, catalogue: PageCatalogue, node: Node): DrawnPort[] {
  const { inputs, component } = catalogue.typed(node)
  const known: Ports = inputs ?? component?.inputs ?? {}
  const fed = feedsOf(flow, node.id)
  const present = Object.entries(known).map(([name, port]) => drawn(name, port, fed.get(name), false))
  const stray = [...fed].filter(([name]) => !Object.hasOwn(known, name))
  // Where the inputs are not known, nobody can say that one is gone.
  const isGone = inputs !== undefined
  return [...present, ...stray.map(([name, edge]) => drawn(name, { title: name, type: 'any' }, edge, isGone))]
}

export function drawnOutputs(flow: Flow, catalogue: PageCatalogue, node: Node): DrawnPort[] {
  const known: Ports = catalogue.facts(node.type)?.outputs ?? {}
  const used = new Set(
    flow.edges.flatMap(({ from }) => {
      const end = parseEnd(from)
      return end?.node === node.id ? [end.port] : []
    })
  )
  const stray = [...used].filter((name) => !Object.hasOwn(known, name))
  return [
    ...Object.entries(known).map(([name, port]) => drawn(name, port, undefined, false)),
    ...stray.map((name) => drawn(name, { title: name, type: 'any' }, undefined, true))
  ]
}

function drawn(name: string, port: Port, fedBy: Edge | undefined, isGone: boolean): DrawnPort {
  return fedBy === undefined ? { name, port, isGone } : { name, port, fedBy, isGone }
}

function feedsOf(flow: Flow, node: string): Map<string, Edge> {
  const feeds = new Map<string, Edge>()
  for (const edge of flow.edges) {
    const end = parseEnd(edge.to)
    if (end?.node === node) feeds.set(end.port, edge)
  }
  return feeds
}
