import { type ConnectionLineComponentProps, getBezierPath } from '@xyflow/react'
import { useEditorState } from '../editor-context.ts'
import { handleOf } from '../wiring/handle-of.ts'
import classes from './wire.module.css'

/** The wire under the hand. */
export function PulledWire(props: ConnectionLineComponentProps) {
  const { fromX, fromY, toX, toY, fromPosition, toPosition, connectionStatus, fromHandle } = props
  const handle = handleOf(fromHandle)
  const type = useEditorState(({ flow, catalogue }) => {
    const node = flow.nodes.find(({ id }) => id === handle?.node)
    if (node === undefined || handle === undefined) return undefined
    const { inputs, outputs } = catalogue.typed(node)
    return (handle.side === 'input' ? inputs : outputs)?.[handle.port]?.type
  })
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    targetX: toX,
    targetY: toY,
    sourcePosition: fromPosition,
    targetPosition: toPosition
  })
  return (
    <path
      d={path}
      className={classes.wire}
      data-type={type}
      data-stray={connectionStatus === 'invalid' || undefined}
    />
  )
}
