import type { Flow, Node } from '../graph/flow.ts'
import { nodesReadIn } from '../template/rename-references.ts'

/** A node that reads what another one gave, without a wire between them. */
export interface Reference {
  readonly read: string
  readonly reader: string
}

/** All of a flow, in the order of its nodes. Nodes that are not there, and the reader itself, are left out. */
export function referencesIn({ nodes }: Pick<Flow, 'nodes'>): Reference[] {
  const ids = new Set(nodes.map(({ id }) => id))
  return nodes.flatMap((node) => nodesReadBy(node, ids).map((read) => ({ read, reader: node.id })))
}

export function nodesReadBy({ id, fields }: Pick<Node, 'id' | 'fields'>, ids: ReadonlySet<string>): string[] {
  return [...nodesReadIn(fields)].filter((named) => named !== id && ids.has(named))
}
