import { type InternalNode, useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import {
  intoSight,
  isMadeSmaller,
  isPushedOut,
  isTouched,
  type Rectangle,
  type Seen,
  type Sight
} from '../geometry/into-sight.ts'
import { boxOf, wiredBoxes } from '../geometry/wired-boxes.ts'
import { useEditorSession } from '../session/session-context.ts'

/** A canvas that made way: where it was, and where it is since. */
interface MadeWay {
  readonly from: Sight
  readonly to: Transform
}

type Transform = Sight['transform']

/**
 * The part that is worked on stays in sight, and what it is wired to: where a panel takes room from the canvas, or the part
 * itself grows, the canvas makes way. When the panel goes, the canvas goes back. What a hand moved stays where the hand put it.
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
      const to = madeWay(last, now, (id) => wiredBoxes(session.state().flow, id, nodeLookup))
      if (last === undefined || to === undefined) return
      if (last.width !== width || last.height !== height) way = { from: last, to }
      moveTo(to)
    })
  }, [session, store, setViewport])
}

/** Where the canvas has to be; undefined where nothing was pushed out. What it is wired to is looked for only where it got smaller. */
function madeWay(
  last: Seen | undefined,
  now: Seen | undefined,
  wired: (id: string) => Rectangle[]
): Transform | undefined {
  if (last === undefined || now === undefined) return undefined
  const others = isMadeSmaller(last, now) ? wired(now.id).filter((box) => isTouched(box, last)) : []
  return isPushedOut(last, now, others) ? intoSight(now.box, others, now) : undefined
}

function seen(part: InternalNode<CanvasPart>, sight: Sight): Seen {
  return { id: part.id, box: boxOf(part), ...sight }
}

function hasRoomAgain({ from, to }: MadeWay, { transform, width, height }: Sight): boolean {
  return isSame(transform, to) && width >= from.width && height >= from.height
}

function isSame(one: Transform, other: Transform): boolean {
  return one.every((value, index) => value === other[index])
}
