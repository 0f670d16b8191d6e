import type { Wire } from './graph.ts'
import { linksOutside, parentsOf } from './regions.ts'

type Link = Pick<Wire, 'fromNode' | 'toNode'>

/**
 * By trigger, the nodes that a run of it takes: those that the trigger reaches, and those without a trigger of their own
 * that lead to one that is taken; with a region, all that stands inside it. Empty where the flow has no trigger: then a run takes every node.
 */
export type TakenNodes = ReadonlyMap<string, ReadonlySet<string>>

/** `startsOn` tells which trigger the component of a node is, if it is one. Wires to nodes that are not there are let be. */
export function takenNodes<N extends { readonly id: string; readonly parent?: string | undefined }>(
  nodes: readonly N[],
  wires: readonly Link[],
  startsOn: (node: N) => string | undefined
): TakenNodes {
  const parents = parentsOf(nodes)
  const links = linksOutside(parents, wires)
  const fed = new Set(links.map((link) => link.toNode))
  const starts = new Map<string, string[]>()
  for (const node of nodes) {
    // A trigger that a wire leads to is a step like any other.
    const trigger = fed.has(node.id) || parents.has(node.id) ? undefined : startsOn(node)
    if (trigger === undefined) continue
    const known = starts.get(trigger)
    if (known === undefined) starts.set(trigger, [node.id])
    else known.push(node.id)
  }
  if (starts.size === 0) return new Map()
  const next = neighboursOf(links, 'fromNode', 'toNode')
  const previous = neighboursOf(links, 'toNode', 'fromNode')
  const reached = new Map([...starts].map(([trigger, ids]) => [trigger, walk(ids, next)]))
  const triggered = new Set([...reached.values()].flatMap((ids) => [...ids]))
  return new Map(
    [...reached].map(([trigger, ids]) => [
      trigger,
      withInside(withFeeders(ids, previous, triggered), parents)
    ])
  )
}

/** The nodes that are in no run, because no trigger has to do with them. */
export function unwiredNodes(nodes: readonly { readonly id: string }[], taken: TakenNodes): Set<string> {
  if (taken.size === 0) return new Set()
  const unwired = new Set(nodes.map(({ id }) => id))
  for (const ids of taken.values()) for (const id of ids) unwired.delete(id)
  return unwired
}

type Neighbours = ReadonlyMap<string, readonly string[]>

export function neighboursOf(wires: readonly Link[], of: keyof Link, are: keyof Link): Neighbours {
  const found = new Map<string, string[]>()
  for (const wire of wires) {
    const known = found.get(wire[of])
    if (known === undefined) found.set(wire[of], [wire[are]])
    else known.push(wire[are])
  }
  return found
}

/** What can be come to from some nodes, themselves included. */
export function walk(from: Iterable<string>, next: Neighbours): Set<string> {
  // A set grows while it is walked, so each node is looked at once.
  const seen = new Set(from)
  for (const id of seen) for (const other of next.get(id) ?? []) seen.add(other)
  return seen
}

function withInside(taken: Set<string>, parents: ReadonlyMap<string, string>): Set<string> {
  for (const [id, parent] of parents) if (taken.has(parent)) taken.add(id)
  return taken
}

function withFeeders(
  reached: ReadonlySet<string>,
  previous: Neighbours,
  triggered: ReadonlySet<string>
): Set<string> {
  const taken = new Set(reached)
  for (const id of taken) {
    for (const feeder of previous.get(id) ?? []) if (!triggered.has(feeder)) taken.add(feeder)
  }
  return taken
}
