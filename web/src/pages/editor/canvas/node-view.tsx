import type { NodeProps } from '@xyflow/react'
import { memo, useContext } from 'react'
import { appearanceOf } from '../../../design/state-badge.tsx'
import { useEditorState, useNodeRun } from '../editor-context.ts'
import { useSettled } from '../fields/use-settled.ts'
import { ZoomedOutContext } from '../geometry/canvas-distance.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import { DetailedNode } from './detailed-node.tsx'
import classes from './node.module.css'
import { describeNode, zoomedOutTitleOf } from './node-words.ts'

type NodeViewProps = Pick<
  NodeProps<Extract<CanvasPart, { type?: 'component' }>>,
  'data' | 'selected' | 'height'
>

/**
 * A node on the canvas; from far away a box with its name and its state, as hundreds are in sight at once. It is one
 * element from near and from far, so that whoever has come to it by keyboard is still there after a zoom. It is not drawn
 * again while it is dragged: where it stands is the canvas' business.
 */
export const NodeView = memo(
  ({ data: { drawn }, selected, height }: NodeViewProps) => {
    const { node } = drawn
    const isZoomedOut = useContext(ZoomedOutContext)
    const run = useNodeRun(node.id)
    const isWriting = useEditorState(({ writing }) => writing === node.id)
    const isFaulty = useSettled(
      useEditorState(({ faults, untouched }) => faults.countOfNode.has(node.id) && !untouched.has(node.id)),
      isWriting
    )
    const isUnwired = useEditorState(({ unwired }) => unwired.has(node.id))
    const isPinned = useEditorState(({ pins }) => pins.has(node.id))
    const isEdited = useEditorState(({ edited }) => edited.nodes.has(node.id))
    const mark = useEditorState(({ marks }) => marks.get(node.id))
    return (
      // biome-ignore lint/a11y/useSemanticElements: a node is no set of form fields; it is one place among many.
      <div
        role="group"
        tabIndex={-1}
        className={isZoomedOut ? classes.zoomedOut : classes.node}
        aria-label={describeNode(drawn, { run, isUnwired, isPinned, mark })}
        data-node={node.id}
        data-tone={run === undefined ? undefined : appearanceOf(run.status).tone}
        data-skipped={run?.status === 'skipped' || run?.status === 'not reached' || undefined}
        data-selected={selected || undefined}
        data-faulty={isFaulty || undefined}
        data-unwired={isUnwired || undefined}
        data-disabled={node.disabled || undefined}
        data-mark={mark}
        data-edited={(run !== undefined && isEdited) || undefined}
        style={{ height }}
      >
        {isZoomedOut ? zoomedOutTitleOf(drawn) : <DetailedNode drawn={drawn} run={run} />}
      </div>
    )
  },
  (before, after) =>
    before.data === after.data && before.selected === after.selected && before.height === after.height
)
