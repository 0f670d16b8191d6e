import type { Fault } from '../errors.ts'
import type { Catalogue } from './catalogue.ts'
import type { RunTrigger } from './component.ts'
import type { FlowDocument, FlowEdge, FlowNode } from './flow-document.ts'
import { parseEnd } from './graph.ts'
import { takenNodes, unwiredNodes } from './taken-nodes.ts'

/** A document, or what the page edits. Its edges need not be sound. */
interface AnyFlow extends Readonly<Pick<FlowDocument, 'context'>> {
  readonly nodes: readonly Readonly<FlowNode>[]
  readonly edges: readonly Readonly<FlowEdge>[]
}

type Finds = Pick<Catalogue, 'find'>

/** The nodes that no run of the flow takes. */
export function unwiredIn({ context, nodes, edges }: AnyFlow, catalogue: Finds): Set<string> {
  const links = edges.flatMap(({ from, to }) => {
    const [source, target] = [parseEnd(from), parseEnd(to)]
    return source === undefined || target === undefined
      ? []
      : [{ fromNode: source.node, toNode: target.node }]
  })
  return unwiredNodes(
    nodes,
    takenNodes(nodes, links, (node) => triggerOf(node, context, catalogue))
  )
}

/** Which runs a node starts, unless a wire leads to it. One that is disabled starts none. */
export function triggerOf(
  { type, disabled }: Readonly<FlowNode>,
  context: string,
  catalogue: Finds
): RunTrigger | undefined {
  return disabled === true ? undefined : catalogue.find(context, type)?.trigger
}

/** What is probably not meant, and keeps nobody from saving. */
export function flowWarnings(flow: AnyFlow, catalogue: Finds): Fault[] {
  const unwired = unwiredIn(flow, catalogue)
  if (unwired.size === 0) return []
  return flow.nodes.flatMap((node, index) =>
    unwired.has(node.id) && node.disabled !== true ? [notWired(node, index)] : []
  )
}

function notWired({ id }: Readonly<FlowNode>, index: number): Fault {
  const message = `Node "${id}" is not wired: no trigger of the flow leads to it, so every run skips it. Wire it, or remove it.`
  return { code: 'not_wired', path: `/nodes/${index}`, node: id, message }
}
