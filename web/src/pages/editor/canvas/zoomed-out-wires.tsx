import { getBezierPath, Position, useNodes, useStore, ViewportPortal } from '@xyflow/react'
import { memo, useMemo } from 'react'
import type { Point } from '../../../editor/graph/flow.ts'
import { type ShownRun, useEditorState } from '../editor-context.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { placeOfPort } from '../geometry/region-geometry.ts'
import { isSilentIn } from '../run/silent-wires.ts'
import classes from './wire.module.css'

interface ZoomedOutWiresProps {
  readonly wires: readonly CanvasWire[]
  /** Where parts are while they are dragged. */
  readonly moving: ReadonlyMap<string, Point>
}

/**
 * All wires from far away, as one line for each type, and one for those of it that were silent: a thousand elements that nobody can point at from there would
 * cost more than all the rest of the picture. Those of parts that are dragged are a picture of their own, so that the others
 * are worked out, laid out and painted once.
 */
export const ZoomedOutWires = memo(({ wires, moving }: ZoomedOutWiresProps) => {
  const parts = useNodes<CanvasPart>()
  const run = useEditorState((state) => state.run)
  const width = useStore(({ transform }) => widthAt(transform[2]))
  const dragged = [...moving.keys()].join(' ')
  const [resting, pulled] = useMemo(() => split(wires, new Set(dragged.split(' '))), [wires, dragged])
  // While parts are dragged, nothing else moves.
  const places = dragged === '' ? parts : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  const still = useMemo(() => linesOf(parts, resting, run), [resting, places, run])
  return (
    <>
      <ViewportPortal>
        <svg className={classes.zoomedOut} strokeWidth={width} aria-hidden>
          <Lines lines={still} />
        </svg>
      </ViewportPortal>
      {pulled.length > 0 && <PulledWires width={width} lines={linesOf(parts, pulled, run)} />}
    </>
  )
})

interface PulledWiresProps {
  readonly width: number
  readonly lines: ReadonlyMap<string, string>
}

/** Under all that stands on the canvas, and not in it: what is within would have a thousand nodes painted along, in every frame. */
function PulledWires({ width, lines }: PulledWiresProps) {
  const [x, y, zoom] = useStore(({ transform }) => transform)
  return (
    <svg
      className={`${classes.zoomedOut} ${classes.pulled}`}
      style={{ transform: `translate(${x}px, ${y}px) scale(${zoom})` }}
      strokeWidth={width}
      aria-hidden
    >
      <Lines lines={lines} />
    </svg>
  )
}

const WIDTH_PX = 1.5

/**
 * As wide on the screen from everywhere, or nothing would be left of it. In steps, so that zooming does not paint all
 * wires anew in every frame.
 */
function widthAt(zoom: number): number {
  return WIDTH_PX / 2 ** (Math.round(Math.log2(zoom) * 2) / 2)
}

const Lines = memo(({ lines }: { readonly lines: ReadonlyMap<string, string> }) =>
  [...lines].map(([kind, path]) => {
    const [type, silent] = kind.split(' ')
    return <path key={kind} d={path} className={classes.wire} data-type={type} data-silent={silent} />
  })
)

function split(wires: readonly CanvasWire[], dragged: ReadonlySet<string>) {
  const isPulled = ({ source, target }: CanvasWire) => dragged.has(source) || dragged.has(target)
  return [wires.filter((wire) => !isPulled(wire)), wires.filter(isPulled)] as const
}

function linesOf(
  parts: readonly CanvasPart[],
  wires: readonly CanvasWire[],
  run: ShownRun | undefined
): Map<string, string> {
  const byId = new Map(parts.map((part) => [part.id, part]))
  const lines = new Map<string, string>()
  for (const { id, source, sourceHandle, target, targetHandle, data } of wires) {
    const from = placeOf(byId.get(source), 'output', sourceHandle)
    const to = placeOf(byId.get(target), 'input', targetHandle)
    if (from === undefined || to === undefined || data === undefined) continue
    const [path] = getBezierPath({
      sourceX: from.x,
      sourceY: from.y,
      sourcePosition: Position.Right,
      targetX: to.x,
      targetY: to.y,
      targetPosition: Position.Left
    })
    const kind = run !== undefined && isSilentIn(run, id) ? `${data.type} silent` : data.type
    lines.set(kind, (lines.get(kind) ?? '') + path)
  }
  return lines
}

function placeOf(part: CanvasPart | undefined, side: 'input' | 'output', port: string | null | undefined) {
  if (part?.type !== 'component' && part?.type !== 'region') return undefined
  const { width, height } = part
  const size = width === undefined || height === undefined ? undefined : { width, height }
  const place = placeOfPort(part.data.drawn, size, side, port)
  return place && { x: part.position.x + place.x, y: part.position.y + place.y }
}
