import { NodeResizeControl, useUpdateNodeInternals } from '@xyflow/react'
import { memo, useContext, useLayoutEffect } from 'react'
import { IconArrowsDiagonal } from '../../../design/icons/canvas-icons.ts'
import { appearanceOf } from '../../../design/state-badge.tsx'
import { handleIdOf } from '../../../editor/wiring/drawn-ports.ts'
import { useEditor, useEditorState, useNodeRun } from '../editor-context.ts'
import { useIsSettled, ZoomedOutContext } from '../geometry/canvas-distance.ts'
import type { RegionViewProps } from '../geometry/canvas-parts.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { placeOfPort } from '../geometry/region-geometry.ts'
import { useWiring } from '../wiring/wiring-context.ts'
import { NodeHead } from './node-head.tsx'
import { NodeMarks } from './node-marks.tsx'
import { PortRow } from './node-ports.tsx'
import { describeNode, zoomedOutTitleOf } from './node-words.ts'
import classes from './region.module.css'
import { RegionItems } from './region-items.tsx'

/** A node that holds others, as a frame around them. Its head is its handle. */
export const RegionView = memo(
  ({ data: { drawn }, selected, width = 0, height = 0 }: RegionViewProps) => {
    const { node } = drawn
    const isZoomedOut = useContext(ZoomedOutContext)
    const isReadOnly = useEditorState((state) => state.isReadOnly)
    const run = useNodeRun(node.id)
    const isFaulty = useEditorState(({ faults }) => faults.countOfNode.has(node.id))
    const isUnwired = useEditorState(({ unwired }) => unwired.has(node.id))
    const isPinned = useEditorState(({ pins }) => pins.has(node.id))
    const mark = useEditorState(({ marks }) => marks.get(node.id))
    const isTarget = useWiring((wiring) => wiring.over === node.id)
    const isSettled = useIsSettled()
    const measure = useUpdateNodeInternals()
    // It is drawn later than the canvas looked for its ports, and from far away it has none.
    useLayoutEffect(() => {
      if (!isZoomedOut) measure(node.id)
    }, [measure, node.id, isZoomedOut])
    return (
      // biome-ignore lint/a11y/useSemanticElements: a frame on the canvas, no set of fields.
      <div
        role="group"
        tabIndex={-1}
        className={`${classes.frame} ${classes.working}`}
        aria-label={describeNode(drawn, { run, isUnwired, isPinned, mark })}
        data-node={node.id}
        data-tone={run === undefined ? undefined : appearanceOf(run.status).tone}
        data-selected={selected || undefined}
        data-faulty={isFaulty || undefined}
        data-unwired={isUnwired || undefined}
        data-disabled={node.disabled || undefined}
        data-target={isTarget || undefined}
        data-zoomed-out={isZoomedOut || undefined}
        data-mark={mark}
      >
        <div className={classes.bar}>
          {isZoomedOut ? (
            <span className={classes.zoomedOutTitle}>{zoomedOutTitleOf(drawn)}</span>
          ) : (
            <NodeHead drawn={drawn} />
          )}
        </div>
        {!isZoomedOut && <RegionPorts drawn={drawn} width={width} height={height} isSettled={isSettled} />}
        {!isZoomedOut && isSettled && (
          <NodeMarks drawn={drawn} run={run}>
            <RegionItems region={node.id} />
          </NodeMarks>
        )}
        {(selected || isSettled) && !isReadOnly && !isZoomedOut && <ResizeCorner node={node.id} />}
      </div>
    )
  },
  (before, after) =>
    before.data === after.data &&
    before.selected === after.selected &&
    before.width === after.width &&
    before.height === after.height
)

interface RegionPortsProps {
  readonly drawn: DrawnNode
  readonly width: number
  readonly height: number
  readonly isSettled: boolean
}

/** Each where region-geometry.ts says. */
function RegionPorts({ drawn, width, height, isSettled }: RegionPortsProps) {
  const size = { width, height }
  return SIDES.map((side) => (
    <ul key={side} className={classes.ports} aria-label={side === 'input' ? 'Inputs' : 'Outputs'}>
      {(side === 'input' ? drawn.inputs : drawn.outputs).map((port) => (
        <PortRow
          key={handleIdOf(port)}
          node={drawn.node.id}
          port={port}
          side={side}
          isSettled={isSettled}
          className={classes.port!}
          place={placeOfPort(drawn, size, side, handleIdOf(port))}
        />
      ))}
    </ul>
  ))
}

const SIDES = ['input', 'output'] as const

function ResizeCorner({ node }: { readonly node: string }) {
  const editor = useEditor()
  return (
    <NodeResizeControl
      className={classes.resize!}
      minWidth={400}
      minHeight={160}
      position="bottom-right"
      onResize={(_event, { width, height }) => {
        const size = { width: Math.round(width), height: Math.round(height) }
        editor.execute({ kind: 'change-node', node, changes: { size } }, `resize ${node}`)
      }}
    >
      <IconArrowsDiagonal size={12} aria-hidden />
    </NodeResizeControl>
  )
}
