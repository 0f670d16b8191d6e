import { resolveFields } from '../flows/component/component.ts'
import { outputsOfNode } from '../flows/component/component-ports.ts'
import type { FlowNode } from '../flows/document/flow-document.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { TOOLS_OUTPUT } from '../flows/tools/tool.ts'
import { toolMode } from '../flows/tools/tool-mode.ts'
import { componentOf, type PlannedNode, type PlanScope, planAs, prepare, type Wiring } from './plan-node.ts'

/** A node as an agent calls it. What is left to the agent is known with the call. */
export function planCalled(
  node: FlowNode,
  index: number,
  wiring: Wiring,
  scope: PlanScope,
  placeOf: (id: string) => number
): PlannedNode {
  const component = componentOf(node, scope)
  const fields = resolveFields(component, node.fields as Record<string, JsonValue>)
  const isWired = (input: string) => wiring.inputs.some(({ port }) => port === input)
  const mode = node.tool === undefined ? null : toolMode(node, component, fields, isWired)
  const open = mode?.open ?? NONE
  // What goes wrong is told to the agent, not led on.
  const { tool: _, on_error: __, ...plain } = node
  const called = { ...plain, fields: withoutOpen(plain.fields, open) }
  const cast = { node: called, component, prepare: open.size === 0 ? prepare : later }
  const outputs = Object.keys(outputsOfNode(component, fields, {}))
  return {
    ...planAs(cast, index, wiring, scope, placeOf),
    called: { mode },
    wiredOutputs: new Set(outputs.filter((name) => name !== TOOLS_OUTPUT))
  }
}

const NONE: ReadonlySet<string> = new Set()

/** Fields that are not whole yet cannot be prepared: that is done with each call. */
const later = () => undefined

/** What the author left in them is not read: neither their variables nor what they refer to. */
function withoutOpen(fields: FlowNode['fields'], open: ReadonlySet<string>): FlowNode['fields'] {
  if (open.size === 0) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !open.has(name)))
}
