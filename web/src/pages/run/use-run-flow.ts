import { outputPortsOf, type Ports } from '../../../../src/flows/component/ports.ts'
import { outputsOfList } from '../../../../src/flows/component/ports-from-fields.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { TOOL_OUTPUTS } from '../../../../src/flows/tools/tool.ts'
import { type ComponentFacts, useComponents } from '../../api/components.ts'
import { useFlows } from '../../api/flows.ts'
import { useRanFlow } from '../../api/ran-flow.ts'
import type { FlowDocument, FlowNode, Run } from '../../api/shapes.ts'

/** The flow of a run, as far as it can still be had. */
export interface RunFlow {
  readonly id: string
  readonly name: string
  /** Undefined where the flow is gone. */
  readonly liveVersion: number | undefined
  readonly isGone: boolean
  /** As the run used it. */
  readonly document: FlowDocument | undefined
  readonly component: (type: string) => ComponentFacts | undefined
  /** All outputs of a node, those that its fields make and the one of errors included. */
  readonly outputsOf: (node: string) => Ports | undefined
  readonly titleOf: (node: NamedNode) => string
}

interface NamedNode {
  readonly type: string
  readonly title?: string | undefined
}

export function useRunFlow(run: Run): RunFlow {
  const { data: flows } = useFlows()
  const live = flows?.find(({ id }) => id === run.flow_id)
  const document = useRanFlow(run)
  const { data: components } = useComponents(document?.context ?? live?.context ?? '/')
  const component = (type: string) => components?.find((candidate) => candidate.type === type)
  return {
    id: run.flow_id,
    name: live?.name ?? document?.name ?? (flows === undefined ? '…' : 'Deleted flow'),
    liveVersion: live?.version,
    isGone: flows !== undefined && live === undefined,
    document,
    component,
    outputsOf: (id) => {
      const node = document?.nodes.find((candidate) => candidate.id === id)
      const facts = node === undefined ? undefined : component(node.type)
      return node === undefined || facts === undefined ? undefined : outputsOf(node, facts)
    },
    titleOf: ({ type, title }) => title || component(type)?.title || type
  }
}

function outputsOf({ fields, on_error, tool }: FlowNode, facts: ComponentFacts): Ports {
  if (tool !== undefined) return TOOL_OUTPUTS
  const { inputs, outputs, outputs_from_list: list } = facts
  if (list === null) return outputPortsOf(outputs, on_error)
  const others = { ...inputs, ...outputPortsOf(outputs, on_error) }
  const listed = outputsOfList(fields[list] as JsonValue | undefined, Object.keys(others))
  return outputPortsOf({ ...listed, ...outputs }, on_error)
}
