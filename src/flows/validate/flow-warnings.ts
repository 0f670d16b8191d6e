import type { Fault } from '../../errors.ts'
import type { Catalogue } from '../component/catalogue.ts'
import { type RunTrigger, resolveFields } from '../component/component.ts'
import { outputsOfNode } from '../component/component-ports.ts'
import type { FlowDocument, FlowEdge, FlowNode } from '../document/flow-document.ts'
import { linksOf } from '../graph/graph.ts'
import { parentsOf } from '../graph/regions.ts'
import { takenNodes, unwiredNodes } from '../graph/taken-nodes.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { looseNodes } from './loose-nodes.ts'
import { unansweredPaths } from './unanswered-paths.ts'
import { unreadReferences } from './unread-references.ts'
import { unsignedTimeOf } from './unsigned-time.ts'

/** A document, or what the page edits. Its edges need not be sound. */
interface AnyFlow extends Readonly<Pick<FlowDocument, 'context'>> {
  readonly nodes: readonly Readonly<FlowNode>[]
  readonly edges: readonly Readonly<FlowEdge>[]
}

type Finds = Pick<Catalogue, 'find'>

/** The nodes that no run of the flow takes. */
export function unwiredIn({ context, nodes, edges }: AnyFlow, catalogue: Finds): Set<string> {
  return unwiredNodes(
    nodes,
    takenNodes(nodes, linksOf(edges), (node) => triggerOf(node, context, catalogue))
  )
}

/** The nodes that run for every item of a region without having to do with it, by the region. */
export function looseIn({ nodes, edges }: Pick<AnyFlow, 'nodes' | 'edges'>): ReadonlyMap<string, string> {
  // Most flows have no region, and the page looks at every turn of the hand.
  return nodes.some(({ parent }) => parent !== undefined) ? looseNodes(nodes, linksOf(edges)) : NONE
}

const NONE: ReadonlyMap<string, string> = new Map()

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
  return [
    ...idleNodes(flow, catalogue),
    ...withoutAnswer(flow, catalogue),
    ...unheardAnswers(flow),
    ...unsignedTimes(flow, catalogue),
    ...unreadReferences(flow, catalogue)
  ]
}

function idleNodes(flow: AnyFlow, catalogue: Finds): Fault[] {
  const [unwired, loose] = [unwiredIn(flow, catalogue), looseIn(flow)]
  if (unwired.size + loose.size === 0) return []
  return flow.nodes.flatMap((node, index) => {
    if (node.disabled === true) return []
    // With its region, all that stands in it is skipped.
    if (unwired.has(node.id)) return [notWired(node, index)]
    const region = loose.get(node.id)
    return region === undefined ? [] : [looseInside(node, region, index)]
  })
}

function looseInside({ id }: Readonly<FlowNode>, region: string, index: number): Fault {
  const message = `Node "${id}" stands in "${region}" but has nothing to do with its items: it runs for each of them all the same. Wire it, or move it out.`
  return { code: 'loose_in_region', path: `/nodes/${index}`, node: id, message }
}

function notWired({ id }: Readonly<FlowNode>, index: number): Fault {
  const message = `Node "${id}" is not wired: no trigger of the flow leads to it, so every run skips it. Wire it, or remove it.`
  return { code: 'not_wired', path: `/nodes/${index}`, node: id, message }
}

function withoutAnswer({ context, nodes, edges }: AnyFlow, catalogue: Finds): Fault[] {
  const portsOf = (node: Readonly<FlowNode>) => {
    const component = catalogue.find(context, node.type)
    if (component === undefined) return {}
    return outputsOfNode(component, resolveFields(component, node.fields as Record<string, JsonValue>), node)
  }
  const outputsOf = (node: Readonly<FlowNode>) => Object.keys(portsOf(node))
  return unansweredPaths({ nodes, edges, outputsOf }).map(({ node: id, output }) => {
    const index = nodes.findIndex((node) => node.id === id)
    const where =
      output === undefined
        ? `Callers of "${id}" wait for an answer, and`
        : `Callers wait for an answer, and behind "${portsOf(nodes[index]!)[output]?.title ?? output}" of node "${id}"`
    const message = `${where} no Respond and no Return comes: they get 204, without a body. Add one, or set "Respond" of the Webhook to "At once".`
    return { code: 'may_not_answer', path: `/nodes/${index}`, node: id, message }
  })
}

function unheardAnswers({ nodes }: AnyFlow): Fault[] {
  const parents = parentsOf(nodes)
  return nodes.flatMap(({ id, type, disabled }, index) => {
    const region = parents.get(id)
    if (type !== 'respond' || disabled === true || region === undefined) return []
    const message = `Respond "${id}" stands in "${region}", which runs what it holds in runs of their own: it answers nobody. Move it behind "${region}".`
    return [{ code: 'respond_in_region', path: `/nodes/${index}`, node: id, message }]
  })
}

function unsignedTimes({ context, nodes }: AnyFlow, catalogue: Finds): Fault[] {
  return nodes.flatMap((node, index) => {
    const component = catalogue.find(context, node.type)
    if (component?.trigger !== 'webhook') return []
    const header = unsignedTimeOf(node, component)
    if (header === undefined) return []
    const message = `The signature of "${node.id}" does not cover the time in ${header}: whoever has one signed request can send it again under any time. Put {header:${header}} into "signed_text" as the sender signs it, or leave "timestamp_header" empty.`
    return [{ code: 'time_not_signed', path: `/nodes/${index}/fields/signed_text`, node: node.id, message }]
  })
}
