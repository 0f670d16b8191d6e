import { Handle, Position } from '@xyflow/react'
import type { PortType } from '../../../../../src/flows/component/ports.ts'
import { PortMark } from '../../../design/port-mark.tsx'
import classes from './node-ports.module.css'

interface PortHandleProps {
  readonly id: string
  readonly type: PortType
  readonly side: 'input' | 'output'
  readonly title: string
  /** Whether the canvas has been at rest since the node came into view; see canvas-distance.ts. */
  readonly isSettled: boolean
}

/** The mark of a port, from which wires are pulled once the canvas is at rest. */
export function PortHandle({ id, type, side, title, isSettled }: PortHandleProps) {
  const end = side === 'input' ? 'target' : 'source'
  const position = side === 'input' ? Position.Left : Position.Right
  const mark = <PortMark type={type} size={13} />
  if (isSettled) {
    return (
      <Handle id={id} type={end} position={position} className={classes.handle!} title={title}>
        {mark}
      </Handle>
    )
  }
  // Handles are most of what a node costs while the canvas moves. This one has what a handle is styled and measured
  // by: without it the wires of a node would be drawn only when the canvas rests.
  return (
    <div
      className={`react-flow__handle react-flow__handle-${position} ${end} nodrag nopan ${classes.handle}`}
      data-handleid={id}
      data-handlepos={position}
      title={title}
    >
      {mark}
    </div>
  )
}
