import type { Fault } from '../../errors.ts'
import type { TypedNode } from '../component/typed-node.ts'
import type { FlowNode } from '../document/flow-document.ts'

type TypedNodes = ReadonlyMap<string, TypedNode>

/** Whether each node stands in a region that is one, and may stand there. */
export function checkParents(nodes: readonly FlowNode[], typed: TypedNodes): Fault[] {
  return nodes.flatMap((node, index) => {
    if (node.parent === undefined) return []
    const wrong = wrongParent(node, node.parent, typed)
    return wrong === undefined ? [] : [{ ...wrong, path: `/nodes/${index}/parent`, node: node.id }]
  })
}

function wrongParent({ id, type, parent: own }: FlowNode, parent: string, typed: TypedNodes) {
  const holder = typed.get(parent)
  const component = typed.get(id)?.component
  if (holder === undefined) {
    const message = `Node "${id}" stands in "${parent}", and there is no such node. Name the node of a For each or a Repeat, or remove "parent".`
    return { code: 'unknown_parent', message }
  }
  if (own === id || component?.region !== undefined) {
    const message = `"${id}" (${component?.title ?? type}) stands in "${parent}", and a region holds no other region. Move it out. Make a flow with the inner one, and call it by Run flow.`
    return { code: 'nested_region', message }
  }
  if (holder.component !== undefined && holder.component.region === undefined) {
    const message = `Node "${id}" stands in "${parent}", which is a ${holder.component.title} and holds no nodes. Name the node of a For each or a Repeat, or remove "parent".`
    return { code: 'not_a_region', message }
  }
  if (component?.trigger !== undefined) {
    const message = `"${id}" (${component.title}) starts runs and cannot stand in "${parent}". Move it out.`
    return { code: 'trigger_in_region', message }
  }
  if (type === RETURN) {
    const [back = 'result'] = Object.keys(holder.component?.region?.inputs ?? {})
    const message = `"${id}" is what the whole flow gives back and cannot stand in "${parent}". Move it out, and connect the wire to "${parent}.${back}".`
    return { code: 'return_in_region', message }
  }
  return undefined
}

/** A flow gives back one value, and a region has its own way to give back one for each item. */
const RETURN = 'return'
