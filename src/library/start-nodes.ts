import type { Catalogue } from '../flows/component/catalogue.ts'
import type { RunTrigger } from '../flows/component/component.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import { parseEnd } from '../flows/graph/graph.ts'

/** A trigger that a wire leads to is a step like any other: it starts nothing. Nor does one that is disabled. */
export function startNodes(document: FlowDocument): FlowNode[] {
  const wired = new Set(document.edges.map((edge) => parseEnd(edge.to)?.node))
  return document.nodes.filter((node) => !wired.has(node.id) && node.disabled !== true)
}

/** Whether runs of this trigger can start the flow. */
export function startsOn(
  document: FlowDocument,
  catalogue: Pick<Catalogue, 'find'>,
  trigger: RunTrigger
): boolean {
  const { context } = document
  return startNodes(document).some(({ type }) => catalogue.find(context, type)?.trigger === trigger)
}
