import { ownSteps } from '../../../api/items.ts'
import type { Run } from '../../../api/shapes.ts'
import type { RunFlow } from '../use-run-flow.ts'
import { RunTree } from './run-tree.tsx'
import { StepChildren } from './step-children.tsx'
import { useFollowChildren } from './use-children.ts'

interface RunChildrenProps {
  readonly run: Run
  readonly flow: RunFlow
  /** Only of this node; undefined for the whole run. */
  readonly node: string | undefined
}

/** What the run started, node by node, and where all of it stands in the tree. */
export function RunChildren({ run, flow, node }: RunChildrenProps) {
  useFollowChildren(run.id)
  const starting = ownSteps(run).filter((step) => startsRuns(step.type, flow))
  const shown = node === undefined ? starting : starting.filter((step) => step.node === node)
  return (
    <>
      {shown.map((step) => (
        <StepChildren
          key={step.node}
          run={run.id}
          node={step.node}
          title={titleOf(step.node, step.type, flow)}
          areItems={flow.component(step.type)?.region != null}
        />
      ))}
      {node === undefined && (run.parent !== null || starting.length > 0) && (
        <RunTree run={run} startsRuns={starting.length > 0} />
      )}
    </>
  )
}

function startsRuns(type: string, flow: RunFlow): boolean {
  return type === 'run-flow' || flow.component(type)?.region != null
}

function titleOf(id: string, type: string, flow: RunFlow): string {
  return flow.titleOf(flow.document?.nodes.find((node) => node.id === id) ?? { type })
}
