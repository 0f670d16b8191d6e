import { parseEnd } from '../../../../../src/flows/graph/graph.ts'
import { leadingTo } from '../../../../../src/flows/graph/up-to-node.ts'
import type { Flow } from '../../../editor/graph/flow.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'

/** The Webhook of a flow, whose payload is what a test begins with. */
export function webhookOf({ nodes }: Pick<Flow, 'nodes'>): string | undefined {
  return nodes.find(({ type, disabled }) => type === 'webhook' && disabled !== true)?.id
}

/** The node whose payload a test begins with: the Webhook, else the Form. */
export function startOf(flow: Pick<Flow, 'nodes'>): string | undefined {
  return webhookOf(flow) ?? flow.nodes.find(({ type, disabled }) => type === 'form' && disabled !== true)?.id
}

/** What a test begins with that ends at this node: a Webhook that leads to it, else whatever starts runs there. */
export function triggerBefore(
  { nodes, edges }: Flow,
  catalogue: Pick<PageCatalogue, 'facts'>,
  node: string
): string | undefined {
  const wires = edges.flatMap(({ from, to }) => {
    const [fromNode, toNode] = [parseEnd(from)?.node, parseEnd(to)?.node]
    return fromNode === undefined || toNode === undefined ? [] : [{ fromNode, toNode }]
  })
  const taken = leadingTo({ nodes, wires }, node)
  const before = nodes.filter(({ id }) => taken.has(id))
  const starts = before.find(
    ({ type, disabled }) => disabled !== true && catalogue.facts(type)?.trigger != null
  )
  return startOf({ nodes: before }) ?? starts?.id
}
