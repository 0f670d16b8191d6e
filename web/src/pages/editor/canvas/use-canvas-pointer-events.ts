import { useMemo } from 'react'
import type { Point } from '../../../editor/graph/flow.ts'
import { useNodeMenu } from '../menu/node-menu-context.ts'
import { useQuickAdd } from '../palette/quick-add-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import type { CanvasPart } from './canvas-parts.ts'
import { useCanvasPointer } from './canvas-pointer.ts'

interface Pointed {
  readonly clientX: number
  readonly clientY: number
}

/** Where the pointer is, and what its other buttons and a double click do. */
export function useCanvasPointerEvents() {
  const session = useEditorSession()
  const pointer = useCanvasPointer()
  const quickAdd = useQuickAdd()
  const openMenu = useNodeMenu()
  return useMemo(() => {
    const add = (event: Pointed) => {
      if (!session.state().isReadOnly) quickAdd.open({ screen: pointOf(event) })
    }
    return {
      room: {
        onPointerMove: (event: React.PointerEvent) => {
          pointer.at = pointOf(event)
        },
        onPointerLeave: () => {
          pointer.at = undefined
        },
        onDoubleClick: (event: React.MouseEvent) => {
          if ((event.target as Element).classList.contains('react-flow__pane')) add(event)
        }
      },
      flow: {
        onPaneContextMenu: (event: MouseEvent | React.MouseEvent) => {
          event.preventDefault()
          add(event)
        },
        onNodeContextMenu: (event: React.MouseEvent, part: CanvasPart) => {
          if (part.type !== 'component') return
          event.preventDefault()
          session.select({ parts: new Set([part.id]), wires: new Set() })
          openMenu(part.id, { left: event.clientX, top: event.clientY, width: 0, height: 0 })
        }
      }
    }
  }, [session, pointer, quickAdd, openMenu])
}

function pointOf({ clientX, clientY }: Pointed): Point {
  return { x: clientX, y: clientY }
}
