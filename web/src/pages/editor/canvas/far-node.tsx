import { lookOf } from '../../../design/state-badge.tsx'
import { useEditorState, useNodeFaults, useNodeRun } from '../editor-context.ts'
import type { DrawnNode } from './drawn-nodes.ts'
import classes from './node.module.css'
import { describeNode, titleOf } from './node-words.ts'

interface FarNodeProps {
  readonly drawn: DrawnNode
  readonly isSelected: boolean
  /** As it was measured from near by, so that wires and neighbours stay where they are. */
  readonly height: number
}

/** A node from far away: a box, its name and its state. Hundreds of them are in sight at once. */
export function FarNode({ drawn, isSelected, height }: FarNodeProps) {
  const { node } = drawn
  const run = useNodeRun(node.id)
  const faults = useNodeFaults(node.id)
  const mark = useEditorState(({ marks }) => marks.get(node.id))
  const tone = run === undefined ? undefined : lookOf(run.status).tone
  return (
    // biome-ignore lint/a11y/useSemanticElements: see node-view.tsx.
    <div
      role="group"
      tabIndex={-1}
      className={classes.far}
      aria-label={describeNode(drawn, run)}
      data-node={node.id}
      data-tone={tone}
      data-selected={isSelected || undefined}
      data-faulty={faults.length > 0 || undefined}
      data-mark={mark}
      style={{ height }}
    >
      {titleOf(drawn)}
    </div>
  )
}
