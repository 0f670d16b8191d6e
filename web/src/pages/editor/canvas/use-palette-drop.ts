import { useMemo } from 'react'
import { notifyProblem } from '../../../design/notify.tsx'
import type { Edge, Point } from '../../../editor/graph/flow.ts'
import { allOffers, searchedOf } from '../palette/offers.ts'
import { DRAGGED_TYPE } from '../palette/palette-drag.ts'
import { useEditorSession } from '../session/session-context.ts'
import { useAdding } from '../session/use-adding.ts'

/** Takes components that are dragged here from the palette; one that is dropped on a wire is put into it. */
export function usePaletteDrop() {
  const session = useEditorSession()
  const adding = useAdding()
  return useMemo(
    () => ({
      onDragOver: (event: React.DragEvent) => {
        if (!event.dataTransfer.types.includes(DRAGGED_TYPE)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      },
      onDrop: (event: React.DragEvent) => {
        const type = event.dataTransfer.getData(DRAGGED_TYPE)
        if (type === '') return
        event.preventDefault()
        const { flow, catalogue } = session.state()
        const offer = allOffers(flow, catalogue).find((candidate) => searchedOf(candidate).type === type)
        if (offer === undefined) return
        if (offer.refusal !== undefined) return notifyProblem(new Error(offer.refusal))
        const screen = { x: event.clientX, y: event.clientY }
        const into = wireAt(screen, flow.edges)
        adding.addAt(offer, screen, into === undefined ? {} : { into })
      }
    }),
    [session, adding]
  )
}

function wireAt({ x, y }: Point, edges: readonly Edge[]): Edge | undefined {
  const id = document.elementFromPoint(x, y)?.closest('.react-flow__edge')?.getAttribute('data-id')
  return edges.find(({ from, to }) => `${from} -> ${to}` === id)
}
