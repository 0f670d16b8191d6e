import type { Fault } from '../../errors.ts'
import type { AnyComponent } from '../component/component.ts'
import { hasDynamicInputs } from '../component/component-ports.ts'
import type { TypedNode } from '../component/typed-node.ts'
import type { FlowDocument, FlowNode } from '../document/flow-document.ts'

type Nodes = Pick<FlowDocument, 'nodes' | 'edges'>

/**
 * Whether the component of a node is asked what it thinks of the fields, called for each node in order. A flow has one of each trigger: the second is
 * a fault whatever its fields are, and ten thousand that each take a while to judge are not judged for that.
 */
export function askedTriggers({
  edges
}: Nodes): (node: FlowNode, component: Pick<AnyComponent, 'trigger'> & AnyComponent) => boolean {
  const wired = wiredNodes(edges)
  const known = new Set<string>()
  return (node, component) => {
    const { trigger } = component
    if (trigger === undefined || hasDynamicInputs(component)) return true
    // It is no way in; without an input its wire is a fault already.
    if (wired.has(node.id)) return Object.keys(component.inputs ?? {}).length > 0
    if (node.disabled === true || known.has(trigger)) return false
    known.add(trigger)
    return true
  }
}

/** One way in per trigger: with two Webhook nodes nobody could say which one's `auth` guards the endpoint. */
export function doubledTriggers(document: Nodes, nodes: ReadonlyMap<string, TypedNode>): Fault[] {
  const first = new Map<string, string>()
  const wired = wiredNodes(document.edges)
  const faults: Fault[] = []
  document.nodes.forEach((node, index) => {
    const component = nodes.get(node.id)?.component
    if (component?.trigger === undefined || node.disabled === true || wired.has(node.id)) return
    const other = first.get(component.trigger)
    if (other !== undefined && other !== node.id) {
      const message = `"${node.id}" and "${other}" are both a ${component.title}. A flow has one: remove one of them.`
      faults.push({ code: 'duplicate_trigger', path: `/nodes/${index}`, node: node.id, message })
    }
    first.set(component.trigger, node.id)
  })
  return faults
}

function wiredNodes(edges: FlowDocument['edges']): ReadonlySet<string | undefined> {
  return new Set(edges.map((edge) => edge.to.split('.', 1)[0]))
}
