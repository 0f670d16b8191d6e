import { isWithin } from '../contexts/context-path.ts'
import type { Fault } from '../errors.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'

/** Flows by id or slug. */
interface Flows {
  find(reference: string): { readonly context: string } | undefined
}

/** Flows that a document would run and that are not there, or not seen from its context. They may be made later, so nothing is refused. */
export function missingFlows({ nodes, slug, context }: FlowDocument, flows: Flows): readonly Fault[] {
  return nodes.flatMap(({ id, type, disabled, fields }, index) => {
    const named = typeof fields.flow === 'string' ? fields.flow.trim() : ''
    // A variable is filled in only when the flow runs.
    if (type !== 'run-flow' || disabled === true || named === '' || named.includes('{') || named === slug)
      return []
    const flow = flows.find(named)
    if (flow !== undefined && isWithin(context, flow.context)) return []
    return [
      {
        code: 'unknown_flow',
        path: `/nodes/${index}/fields/flow`,
        node: id,
        field: 'flow',
        message: `Field "flow" of node "${id}": there is no flow "${named}" that this flow's context (${context}) sees, so its runs will fail there. Make it, or choose another one.`
      }
    ]
  })
}
