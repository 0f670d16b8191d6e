import type { Catalogue } from '../flows/component/catalogue.ts'
import { type AnyComponent, resolveFields } from '../flows/component/component.ts'
import { fillVariables, variableFieldsOf } from '../flows/component/context-variables.ts'
import type { FlowNode } from '../flows/document/flow-document.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import type { LiveFlow } from '../library/live-flow.ts'
import { startNodes } from '../library/start-nodes.ts'

/** A node of a live flow that starts runs by itself. */
export interface TriggerNode {
  readonly flow: LiveFlow
  readonly node: FlowNode
  readonly component: AnyComponent
  /** What the flow says, else the default. */
  readonly fields: Readonly<Record<string, JsonValue>>
}

/** The same of what is edited, which is no version yet. */
export interface EditedTrigger extends Omit<TriggerNode, 'flow'> {
  readonly flow: Pick<LiveFlow, 'id' | 'slug' | 'version' | 'context' | 'triggersFrom'>
}

type Finds = Pick<Catalogue, 'find'>

function startsByItself({ start, startedBy }: AnyComponent): boolean {
  return start !== undefined || startedBy === 'service'
}

/** The nodes of a flow that start runs by themselves, whether or not the flow is paused. */
export function triggerNodesOf(flow: LiveFlow, catalogue: Finds): TriggerNode[] {
  const { document, context } = flow
  // Looked at for every flow of the service at its start: most have no such node.
  const candidates = document.nodes.filter(({ type }) => {
    const component = catalogue.find(context, type)
    return component !== undefined && startsByItself(component)
  })
  if (candidates.length === 0) return []
  const starts = new Set(startNodes(document))
  return candidates
    .filter((node) => starts.has(node))
    .map((node) => {
      const component = catalogue.find(context, node.type)!
      return { flow, node, component, fields: resolveFields(component, node.fields as Fields) }
    })
}

/** What its fields are now, with the variables of its context filled in. Throws where one is missing. */
export function filledFields(
  { component, fields }: Pick<TriggerNode, 'component' | 'fields'>,
  variables: Readonly<Record<string, JsonValue>>
): Fields {
  const filled = { ...fields }
  for (const name of variableFieldsOf(component, fields)) {
    filled[name] = fillVariables(fields[name] as string, name, variables)
  }
  return filled
}

type Fields = Record<string, JsonValue>
