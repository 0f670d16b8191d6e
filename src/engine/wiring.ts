import type { Wire } from '../flows/graph/graph.ts'
import type { PlannedInput, Wiring } from './plan-node.ts'

interface Link {
  readonly fromNode: string
  readonly toNode: string
}

/** The wiring of every node of a plan. */
interface Wirings {
  of(id: string): Wiring
}

/**
 * `links`: what has to be settled before what. They are those of the wires, and more: a region also waits for what leads to
 * its inside.
 */
export function wiringsOf(
  wires: readonly Wire[],
  links: readonly Link[],
  placeOf: (id: string) => number,
  sourceOf: (id: string) => number = placeOf
): Wirings {
  // Grouped once: to look through all wires for every node takes seconds in a flow of thousands.
  const wiresTo = Map.groupBy(wires, (wire) => wire.toNode)
  const wiresFrom = Map.groupBy(wires, (wire) => wire.fromNode)
  const linksTo = Map.groupBy(links, (link) => link.toNode)
  const linksFrom = Map.groupBy(links, (link) => link.fromNode)
  return {
    of: (id) => ({
      inputs: planInputs(wiresTo.get(id) ?? [], sourceOf),
      wiredOutputs: new Set(wiresFrom.get(id)?.map((wire) => wire.fromPort)),
      sources: unique((linksTo.get(id) ?? []).map((link) => sourceOf(link.fromNode))),
      dependents: unique((linksFrom.get(id) ?? []).map((link) => placeOf(link.toNode)))
    })
  }
}

function planInputs(wires: readonly Wire[], sourceOf: (id: string) => number): PlannedInput[] {
  const fed = new Set<string>()
  return wires.map(({ toPort: port, fromNode, fromPort }) => {
    const isFurther = fed.has(port)
    fed.add(port)
    return { port, isFurther, from: sourceOf(fromNode), fromPort }
  })
}

function unique(places: readonly number[]): number[] {
  return [...new Set(places)]
}
