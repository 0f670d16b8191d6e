import { getBezierPath, Position, useNodes, ViewportPortal } from '@xyflow/react'
import { memo } from 'react'
import type { PortType } from '../../../../../src/flows/component.ts'
import type { CanvasPart, CanvasWire } from './canvas-parts.ts'
import { portPlace } from './node-geometry.ts'
import classes from './wire.module.css'

/**
 * All wires from far away, as one line for each type: a thousand elements that nobody can point at from there would
 * cost more than all the rest of the picture.
 */
export const FarWires = memo(({ wires }: { readonly wires: readonly CanvasWire[] }) => {
  const parts = useNodes<CanvasPart>()
  const lines = linesOf(parts, wires)
  return (
    <ViewportPortal>
      <svg className={classes.far} aria-hidden>
        {[...lines].map(([type, path]) => (
          <path key={type} d={path} className={classes.wire} data-type={type} />
        ))}
      </svg>
    </ViewportPortal>
  )
})

function linesOf(parts: readonly CanvasPart[], wires: readonly CanvasWire[]): Map<PortType, string> {
  const byId = new Map(parts.map((part) => [part.id, part]))
  const lines = new Map<PortType, string>()
  for (const { source, sourceHandle, target, targetHandle, data } of wires) {
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
    lines.set(data.type, (lines.get(data.type) ?? '') + path)
  }
  return lines
}

function placeOf(part: CanvasPart | undefined, side: 'input' | 'output', port: string | null | undefined) {
  if (part?.type !== 'component') return undefined
  const { inputs, outputs } = part.data.drawn
  const row = (side === 'input' ? inputs : outputs).findIndex(({ name }) => name === port)
  if (row === -1) return undefined
  const { x, y } = portPlace(side, row)
  return { x: part.position.x + x, y: part.position.y + y }
}
