import type { Fault } from '../../../../src/errors.ts'
import { edgeKey, type Flow } from '../graph/flow.ts'

/** The faults of a flow, by where they are shown. */
export interface FlowFaults {
  readonly all: readonly Fault[]
  /** Those of a node that are not about one of its fields. */
  readonly ofNode: ReadonlyMap<string, readonly Fault[]>
  /** By `fieldKey`. */
  readonly ofField: ReadonlyMap<string, readonly Fault[]>
  /** How many a node has, its fields counted in. */
  readonly countOfNode: ReadonlyMap<string, number>
  /** By `edgeKey`. */
  readonly ofEdge: ReadonlyMap<string, readonly Fault[]>
  /** What is wrong with the flow as a whole. */
  readonly ofFlow: readonly Fault[]
}

export function fieldKey(node: string, field: string): string {
  return `${node}.${field}`
}

/** Finds the places of faults as the service answers them (422). */
export function placeFaults(flow: Flow, faults: readonly Fault[]): FlowFaults {
  const ofNode = new Map<string, Fault[]>()
  const ofField = new Map<string, Fault[]>()
  const ofEdge = new Map<string, Fault[]>()
  const countOfNode = new Map<string, number>()
  const ofFlow: Fault[] = []
  for (const fault of faults) {
    const edge = flow.edges[Number(/^\/edges\/(\d+)/.exec(fault.path)?.[1] ?? Number.NaN)]
    const node = fault.node ?? flow.nodes[Number(/^\/nodes\/(\d+)/.exec(fault.path)?.[1] ?? Number.NaN)]?.id
    if (edge === undefined && node !== undefined) countOfNode.set(node, (countOfNode.get(node) ?? 0) + 1)
    if (edge !== undefined) push(ofEdge, edgeKey(edge), fault)
    else if (node === undefined) ofFlow.push(fault)
    else if (fault.field === undefined) push(ofNode, node, fault)
    else push(ofField, fieldKey(node, fault.field), fault)
  }
  return { all: faults, ofNode, ofField, countOfNode, ofEdge, ofFlow }
}

function push(map: Map<string, Fault[]>, key: string, fault: Fault): void {
  map.set(key, [...(map.get(key) ?? []), fault])
}
