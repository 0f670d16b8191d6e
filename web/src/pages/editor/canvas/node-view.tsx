import type { NodeProps } from '@xyflow/react'
import { memo, useContext } from 'react'
import { useEditorState, useNodeFaults, useNodeRun } from '../editor-context.ts'
import { FarContext, useIsSettled } from './canvas-distance.ts'
import type { CanvasPart } from './canvas-parts.ts'
import type { DrawnNode } from './drawn-nodes.ts'
import { FarNode } from './far-node.tsx'
import classes from './node.module.css'
import { NodeBody } from './node-body.tsx'
import { NodeHeader } from './node-header.tsx'
import { NodePorts } from './node-ports.tsx'
import { NodeRunStrip } from './node-run-strip.tsx'
import { describeNode } from './node-words.ts'

type NodeViewProps = Pick<
  NodeProps<Extract<CanvasPart, { type?: 'component' }>>,
  'data' | 'selected' | 'height'
>

/** A node on the canvas. It is not drawn again while it is dragged: where it stands is the canvas' business. */
export const NodeView = memo(
  ({ data, selected, height }: NodeViewProps) => {
    const isFar = useContext(FarContext)
    return isFar ? (
      <FarNode drawn={data.drawn} isSelected={selected} height={height ?? 80} />
    ) : (
      <NearNode drawn={data.drawn} isSelected={selected} />
    )
  },
  (before, after) =>
    before.data === after.data && before.selected === after.selected && before.height === after.height
)

function NearNode({ drawn, isSelected }: { readonly drawn: DrawnNode; readonly isSelected: boolean }) {
  const { node } = drawn
  const run = useNodeRun(node.id)
  const faults = useNodeFaults(node.id)
  const mark = useEditorState(({ marks }) => marks.get(node.id))
  const isSettled = useIsSettled()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a node is no set of form fields; it is one place among many.
    <div
      role="group"
      tabIndex={-1}
      className={classes.node}
      aria-label={describeNode(drawn, run)}
      data-node={node.id}
      data-selected={isSelected || undefined}
      data-faulty={faults.length > 0 || undefined}
      data-mark={mark}
    >
      <NodeHeader drawn={drawn} />
      <NodePorts drawn={drawn} />
      {faults.length > 0 && (
        <ul className={classes.faults}>
          {faults.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      {node.collapsed !== true && isSettled && <NodeBody drawn={drawn} run={run} />}
      {run !== undefined && <NodeRunStrip node={node.id} run={run} />}
    </div>
  )
}
