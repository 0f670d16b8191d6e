import { type Edge, type Flow, nodeOfEnd } from './flow.ts'

/** The edges of a flow by their nodes. Made once for a state of a flow: to look through all for each node is slow. */
export interface WireIndex {
  readonly into: ReadonlyMap<string, readonly Edge[]>
  readonly outOf: ReadonlyMap<string, readonly Edge[]>
}

export function indexWires(flow: Pick<Flow, 'edges'>): WireIndex {
  return {
    into: Map.groupBy(flow.edges, ({ to }) => nodeOfEnd(to)),
    outOf: Map.groupBy(flow.edges, ({ from }) => nodeOfEnd(from))
  }
}
