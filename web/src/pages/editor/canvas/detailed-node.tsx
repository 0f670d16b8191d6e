import type { NodeRun } from '../editor-context.ts'
import { useIsSettled } from '../geometry/canvas-distance.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { NodeHead } from './node-head.tsx'
import { NodeMarks } from './node-marks.tsx'
import { NodePorts } from './node-ports.tsx'

interface NearNodeProps {
  readonly drawn: DrawnNode
  readonly run: NodeRun | undefined
}

/** What a node shows when it is near enough to be read. Everything else of it is in the inspector. */
export function DetailedNode({ drawn, run }: NearNodeProps) {
  const isSettled = useIsSettled()
  return (
    <>
      <NodeHead drawn={drawn} />
      <NodePorts drawn={drawn} isSettled={isSettled} />
      {isSettled && <NodeMarks drawn={drawn} run={run} />}
    </>
  )
}
