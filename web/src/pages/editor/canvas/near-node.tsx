import { NodeTroubles } from '../connections/node-troubles.tsx'
import type { useNodeFaults, useNodeRun } from '../editor-context.ts'
import { useIsSettled } from '../geometry/canvas-distance.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import classes from './node.module.css'
import { NodeBody } from './node-body.tsx'
import { NodeHeader } from './node-header.tsx'
import { NodePorts } from './node-ports.tsx'
import { NodeRunStrip } from './node-run-strip.tsx'

interface NearNodeProps {
  readonly drawn: DrawnNode
  readonly run: ReturnType<typeof useNodeRun>
  readonly faults: ReturnType<typeof useNodeFaults>
}

/** What a node holds when it is near enough to be worked on. */
export function NearNode({ drawn, run, faults }: NearNodeProps) {
  const { node } = drawn
  const isSettled = useIsSettled()
  return (
    <>
      <NodeHeader drawn={drawn} />
      <NodePorts drawn={drawn} isSettled={isSettled} />
      {faults.length > 0 && (
        <ul className={classes.faults}>
          {faults.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {node.collapsed !== true && isSettled && <NodeBody drawn={drawn} run={run} />}
      {node.collapsed === true && isSettled && <NodeTroubles node={node} />}
      {run !== undefined && <NodeRunStrip node={node.id} run={run} />}
    </>
  )
}
