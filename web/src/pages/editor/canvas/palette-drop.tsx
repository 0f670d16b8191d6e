import { useReactFlow } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useConnectionPresets } from '../../../api/connections.ts'
import { notifyRefusal } from '../../../design/notify.tsx'
import { type Edge, edgeKey, type Point } from '../../../editor/graph/flow.ts'
import { wireUnder } from '../../../editor/wiring/wire-geometry.ts'
import { useAdding } from '../actions/use-adding.ts'
import { allOffers, searchedOf } from '../components/offers.ts'
import { DRAGGED_TYPE } from '../components/palette-drag.ts'
import { serviceOffers } from '../components/services.ts'
import { DrawnNodes } from '../geometry/drawn-nodes.ts'
import { regionAt } from '../geometry/region-geometry.ts'
import { useEditorSession } from '../session/session-context.ts'
import { useWiringState } from '../wiring/wiring-context.ts'
import { drawnWires } from './drawn-wires.ts'

/** How near to a wire something has to be dropped to be put into it. */
const REACH = 16

/** Takes components that are dragged here from the palette; one that is dropped on a wire is put into it. */
export function PaletteDrop() {
  const session = useEditorSession()
  const wiring = useWiringState()
  const adding = useAdding()
  const { screenToFlowPosition } = useReactFlow()
  // Asked for by whoever searched for what is dragged.
  const { data: presets } = useConnectionPresets({ enabled: false })
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const canvas = mark.current?.closest<HTMLElement>('[data-canvas]')
    if (canvas == null) return
    const drawn = new DrawnNodes()
    /** By where it runs, not by what lies under the pointer: a wire's own tools may be in the way. */
    const wireAt = (screen: Point): Edge | undefined => {
      const { flow, catalogue } = session.state()
      const nodes = new Map(drawn.of(flow, catalogue).map((node) => [node.node.id, node]))
      const { x, y } = screenToFlowPosition(screen)
      const around = { x: x - REACH, y: y - REACH, width: 2 * REACH, height: 2 * REACH }
      return wireUnder(around, drawnWires(flow, nodes))?.edge
    }
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes(DRAGGED_TYPE) !== true) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      const screen = { x: event.clientX, y: event.clientY }
      const wire = wireAt(screen)
      wiring.dragOverWire(wire === undefined ? undefined : edgeKey(wire))
      const { flow, catalogue } = session.state()
      wiring.dragOverRegion(regionAt(flow, catalogue, screenToFlowPosition(screen)))
    }
    const letGo = () => {
      wiring.dragOverWire(undefined)
      wiring.dragOverRegion(undefined)
    }
    const onDrop = (event: DragEvent) => {
      letGo()
      const type = event.dataTransfer?.getData(DRAGGED_TYPE) ?? ''
      if (type === '') return
      event.preventDefault()
      const { flow, catalogue } = session.state()
      const offers = allOffers(flow, catalogue)
      const offer = [...offers, ...serviceOffers(offers, presets ?? [])].find(
        (candidate) => searchedOf(candidate).type === type
      )
      if (offer === undefined) return
      if (offer.refusal !== undefined) return notifyRefusal('Nothing was added', offer.refusal)
      const screen = { x: event.clientX, y: event.clientY }
      const into = offer.facts === undefined ? undefined : wireAt(screen)
      adding.addAt(offer, screen, into === undefined ? {} : { into })
    }
    canvas.addEventListener('dragover', onDragOver)
    canvas.addEventListener('dragleave', letGo)
    canvas.addEventListener('drop', onDrop)
    return () => {
      canvas.removeEventListener('dragover', onDragOver)
      canvas.removeEventListener('dragleave', letGo)
      canvas.removeEventListener('drop', onDrop)
    }
  }, [session, wiring, adding, screenToFlowPosition, presets])
  return <span ref={mark} hidden />
}
