import { type ComponentFacts, useComponents } from '../../api/components.ts'
import { useFlows } from '../../api/flows.ts'
import { useRanFlow } from '../../api/ran-flow.ts'
import type { FlowDocument, Run } from '../../api/shapes.ts'

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
    titleOf: ({ type, title }) => title || component(type)?.title || type
  }
}
