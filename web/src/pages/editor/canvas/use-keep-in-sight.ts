import { type InternalNode, useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { CanvasPart, CanvasWire } from '../geometry/canvas-parts.ts'
import { isPushedOut, type Seen, type Sight, shiftIntoSight } from '../geometry/into-sight.ts'
import { useEditorSession } from '../session/session-context.ts'

/** A canvas that made way: where it was, and where it is since. */
interface MadeWay {
  readonly from: Sight
  readonly to: Transform
}

type Transform = Sight['transform']

/**
 * The part that is worked on stays in sight: where a panel takes room from the canvas, or the part itself grows, the canvas
 * makes way. When the panel goes, the canvas goes back. What a hand moved stays
 * where the hand put it.
 */
export function useKeepInSight(): void {
  const session = useEditorSession()
  const store = useStoreApi<CanvasPart, CanvasWire>()
  const { setViewport } = useReactFlow()
  useEffect(() => {
    let before: Seen | undefined
    let way: MadeWay | undefined
    const moveTo = ([x, y, zoom]: Transform) => void setViewport({ x, y, zoom })
    return store.subscribe(({ nodeLookup, transform, width, height }) => {
      if (way !== undefined && hasRoomAgain(way, { transform, width, height })) {
        const { from } = way
        way = undefined
        return moveTo(from.transform)
      }
      const [id, ...others] = session.state().selection.parts
      const part = id === undefined || others.length > 0 ? undefined : nodeLookup.get(id)
      const now = part === undefined ? undefined : seen(part, { transform, width, height })
      const last = before
      before = now
      if (last === undefined || now === undefined || !isPushedOut(last, now)) return
      const shift = shiftIntoSight(now.box, now)
      const to: Transform = [transform[0] + shift.x, transform[1] + shift.y, transform[2]]
      if (last.width !== width || last.height !== height) way = { from: last, to }
      moveTo(to)
    })
  }, [session, store, setViewport])
}

function seen({ id, internals, measured }: InternalNode<CanvasPart>, sight: Sight): Seen {
  const { width = 0, height = 0 } = measured
  return { id, box: { ...internals.positionAbsolute, width, height }, ...sight }
}

function hasRoomAgain({ from, to }: MadeWay, { transform, width, height }: Sight): boolean {
  return isSame(transform, to) && width >= from.width && height >= from.height
}

function isSame(one: Transform, other: Transform): boolean {
  return one.every((value, index) => value === other[index])
}
