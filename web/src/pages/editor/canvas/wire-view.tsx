import { EdgeLabelRenderer, type EdgeProps, getBezierPath, useReactFlow } from '@xyflow/react'
import { memo, useEffect, useRef, useState } from 'react'
import { IconPlus, IconX } from '../../../design/icons/page-icons.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { WireCard } from '../lazy-tools.tsx'
import { isSilentIn } from '../run/silent-wires.ts'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { useWiring } from '../wiring/wiring-context.ts'
import classes from './wire.module.css'

/** How long the tools of a wire stay after the pointer has left it, so that they can be reached. */
const LINGER_MS = 250

/** How long a pointer rests on it until what went over it is shown. */
const REST_MS = 200

/** A wire in the colour of what flows through it. */
export const WireView = memo((props: EdgeProps<CanvasWire>) => {
  const { id, data, selected = false } = props
  const [path, middleX, middleY] = getBezierPath(props)
  const isTarget = useWiring((wiring) => wiring.under === id)
  const isFaulty = useEditorState(({ faults }) => faults.ofEdge.has(id))
  const mark = useEditorState(({ marks }) => marks.get(id))
  const isSilent = useEditorState(({ run }) => run !== undefined && isSilentIn(run, id))
  const hover = useHover()
  return (
    <g className={classes.group} {...hover.on}>
      <path
        d={path}
        className={classes.wire}
        data-type={data?.type}
        data-selected={selected || undefined}
        data-target={isTarget || undefined}
        data-stray={data?.isStray || isFaulty || undefined}
        data-mark={mark}
        data-silent={isSilent || undefined}
      />
      <path d={path} className={`${classes.grip} react-flow__edge-interaction`} />
      {(selected || hover.isHovered) && <WireTools id={id} x={middleX} y={middleY} {...hover.on} />}
      {hover.isResting && (
        <ValueCard wire={id} x={middleX} y={middleY} onClose={hover.stopResting} {...hover.on} />
      )}
    </g>
  )
})

/** Pointed at; and resting, where the pointer did not just pass by. */
function useHover() {
  const [isHovered, setHovered] = useState(false)
  const [isResting, setResting] = useState(false)
  const timer = useRef(0)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return {
    isHovered,
    isResting,
    stopResting: () => {
      window.clearTimeout(timer.current)
      setResting(false)
    },
    on: {
      onMouseEnter: () => {
        window.clearTimeout(timer.current)
        setHovered(true)
        timer.current = window.setTimeout(() => setResting(true), REST_MS)
      },
      onMouseLeave: () => {
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(() => {
          setHovered(false)
          setResting(false)
        }, LINGER_MS)
      }
    }
  }
}

interface ValueCardProps {
  readonly wire: string
  readonly x: number
  readonly y: number
  readonly onMouseEnter: () => void
  readonly onMouseLeave: () => void
  readonly onClose: () => void
}

function ValueCard({ x, y, ...card }: ValueCardProps) {
  const { flowToScreenPosition } = useReactFlow()
  const [at] = useState(() => flowToScreenPosition({ x, y }))
  return <WireCard at={at} {...card} />
}

interface WireToolsProps {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly onMouseEnter: () => void
  readonly onMouseLeave: () => void
}

function WireTools({ id, x, y, ...hover }: WireToolsProps) {
  const editor = useEditor()
  const quickAdd = useQuickAdd()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const edge = useEditorState(({ flow }) => flow.edges.find(({ from, to }) => `${from} -> ${to}` === id))
  if (isReadOnly || edge === undefined) return null
  const name = `the wire from ${edge.from} to ${edge.to}`
  return (
    <EdgeLabelRenderer>
      <div
        className={`${classes.tools} nodrag nopan`}
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        {...hover}
      >
        <button
          type="button"
          aria-label={`Insert a node into ${name}`}
          title="Insert a node here"
          onClick={({ clientX, clientY }) =>
            quickAdd.open({ screen: { x: clientX, y: clientY }, into: edge })
          }
        >
          <IconPlus size={14} aria-hidden />
        </button>
        <button
          type="button"
          aria-label={`Remove ${name}`}
          title="Remove the wire"
          onClick={() => editor.execute({ kind: 'disconnect', edge })}
        >
          <IconX size={14} aria-hidden />
        </button>
      </div>
    </EdgeLabelRenderer>
  )
}
