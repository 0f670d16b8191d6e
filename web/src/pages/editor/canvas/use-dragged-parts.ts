import type { NodeChange } from '@xyflow/react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { notifyDone, notifyRefusal } from '../../../design/notify.tsx'
import { applyCommand } from '../../../editor/commands/apply-command.ts'
import type { Command } from '../../../editor/commands/command.ts'
import { edgeKey, type Flow, type Point, type Size, touches } from '../../../editor/graph/flow.ts'
import { withGroupMoves } from '../../../editor/groups/groups.ts'
import { cutWords, describeMove, moveIntoRegions } from '../../../editor/regions/move-into-region.ts'
import { withRegionMoves } from '../../../editor/regions/regions.ts'
import { spliceInto } from '../../../editor/wiring/splice.ts'
import { type DrawnWire, wireUnder } from '../../../editor/wiring/wire-geometry.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { DrawnNode } from '../geometry/drawn-nodes.ts'
import { useEditorSession } from '../session/session-context.ts'
import { useWiringState } from '../wiring/wiring-context.ts'
import { drawnWires } from './drawn-wires.ts'
import { regionsWished } from './dropped-nodes.ts'

const NOWHERE: ReadonlyMap<string, Point> = new Map()

/**
 * Parts that are moved by hand. While they move, only the canvas knows where they are; let go, the whole way is one
 * step, together with the wire that a node was dropped on.
 */
export function useDraggedParts(drawnNodes: () => ReadonlyMap<string, DrawnNode>) {
  const session = useEditorSession()
  const wiring = useWiringState()
  const [moving, setMoving] = useState(NOWHERE)
  const wires = useRef<readonly DrawnWire[] | undefined>(undefined)

  const follow = useCallback(
    (changes: readonly NodeChange<CanvasPart>[]) => {
      const moves = changes.flatMap((change): [string, Point][] =>
        change.type === 'position' && change.position !== undefined && change.dragging !== undefined
          ? [[change.id, change.position]]
          : []
      )
      if (moves.length === 0) return
      const all = allMoves(session.state().flow, Object.fromEntries(moves))
      setMoving((before) => new Map([...before, ...Object.entries(all)]))
    },
    [session]
  )

  const handlers = useMemo(() => {
    /** The wire under a node that could be put into it. Only one node at a time is. */
    const wireFor = (parts: readonly CanvasPart[]) => {
      const [part] = parts
      if (parts.length !== 1 || part?.type !== 'component') return undefined
      const { flow } = session.state()
      if (flow.edges.some((edge) => touches(edge, (node) => node === part.id))) return undefined
      wires.current ??= drawnWires(flow, drawnNodes())
      return wireUnder({ ...part.position, ...sizeOf(part) }, wires.current)?.edge
    }
    const end = (parts: readonly CanvasPart[]) => {
      const positions = Object.fromEntries(parts.map(({ id, position }) => [id, rounded(position)]))
      const move: Command = { kind: 'move', positions }
      const edge = wireFor(parts)
      const { flow, catalogue } = session.state()
      const wished = regionsWished(flow, drawnNodes(), allMoves(flow, positions))
      const into = moveIntoRegions(flow, catalogue, wished)
      const standing = [...into.leave, ...into.enter].reduce(applyCommand, flow)
      const splice = edge === undefined ? undefined : spliceInto(standing, catalogue, parts[0]!.id, edge)
      wires.current = undefined
      wiring.dragOverWire(undefined)
      wiring.dragOverRegion(undefined)
      const spliced = splice?.command === undefined ? [] : [splice.command]
      const commands = [...into.leave, move, ...into.enter, ...spliced]
      const label = spliced.length > 0 ? 'Insert into the wire' : describeMove(into)
      session.execute(commands.length === 1 ? move : { kind: 'all', commands, label })
      setMoving(NOWHERE)
      if (into.cut > 0) notifyDone(cutWords(into.cut), () => session.undo())
      for (const refusal of into.refusals) notifyRefusal('It stays outside', refusal)
    }
    return {
      onNodeDrag: (_event: unknown, _part: CanvasPart, parts: CanvasPart[]) => {
        const edge = wireFor(parts)
        const { flow, catalogue } = session.state()
        const positions = Object.fromEntries(parts.map(({ id, position }) => [id, position]))
        const wished = regionsWished(flow, drawnNodes(), allMoves(flow, positions))
        const { leave, enter } = moveIntoRegions(flow, catalogue, wished)
        const [entered] = enter
        wiring.dragOverRegion(entered?.kind === 'set-region' ? (entered.region ?? undefined) : undefined)
        const standing = edge === undefined ? flow : [...leave, ...enter].reduce(applyCommand, flow)
        const isFit =
          edge !== undefined && spliceInto(standing, catalogue, parts[0]!.id, edge)?.command !== undefined
        wiring.dragOverWire(isFit ? edgeKey(edge) : undefined)
      },
      onNodeDragStop: (_event: unknown, _part: CanvasPart, parts: CanvasPart[]) => end(parts),
      onSelectionDragStop: (_event: unknown, parts: CanvasPart[]) => end(parts)
    }
  }, [session, wiring, drawnNodes])

  return { moving, follow, ...handlers }
}

/** Groups and regions take their nodes along. */
function allMoves(flow: Flow, positions: Readonly<Record<string, Point>>) {
  return withRegionMoves(flow, withGroupMoves(flow, positions))
}

function sizeOf({ measured, width, height }: CanvasPart): Size {
  return { width: measured?.width ?? width ?? 0, height: measured?.height ?? height ?? 0 }
}

/** A document that people read in a diff has no use for fractions of a pixel. */
function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) }
}
