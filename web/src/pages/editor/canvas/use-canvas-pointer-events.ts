import { useMemo } from 'react'
import { findNode, type Point } from '../../../editor/graph/flow.ts'
import type { EditorState } from '../editor-context.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import { useCanvasPointer } from '../geometry/canvas-pointer.ts'
import { useNodeMenu } from '../session/node-menu-context.ts'
import { useQuickAdd } from '../session/quick-add-context.ts'
import { useEditorSession } from '../session/session-context.ts'

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
    /** What a first click selected: what it opened may have moved it away from under the second, or put a field there. */
    let first: string | undefined
    return {
      room: {
        onPointerMove: (event: React.PointerEvent) => {
          pointer.at = pointOf(event)
        },
        onPointerLeave: () => {
          pointer.at = undefined
        },
        // Before the parts hear of it: they keep it to themselves.
        onMouseDownCapture: (event: React.MouseEvent<HTMLElement>) => {
          selectPartsNotText(event)
          if (event.detail === 1) first = newlyPointedAt(event, session.state())
        },
        onDoubleClickCapture: (event: React.MouseEvent) => {
          if (first === undefined) return
          event.stopPropagation()
          session.select({ parts: new Set([first]), wires: new Set() })
          session.inspect('wide')
        },
        onDoubleClick: (event: React.MouseEvent) => {
          if ((event.target as Element).classList.contains('react-flow__pane')) add(event)
        }
      },
      flow: {
        // The canvas itself leaves many selected, and whoever then deletes what was clicked deletes them all.
        onNodeClick: (event: React.MouseEvent, part: CanvasPart) => {
          if (isAdding(event)) return
          const { selection, inspector } = session.state()
          if (selection.parts.size > 1) session.select({ parts: new Set([part.id]), wires: new Set() })
          const isWorkedWith = (event.target as Element).closest(WORKED_WITH) !== null
          if (part.type !== 'note' && !isWorkedWith) session.inspect(inspector === 'wide' ? 'wide' : 'side')
        },
        onNodeDoubleClick: (event: React.MouseEvent, part: CanvasPart) => {
          const isWorkedWith = (event.target as Element).closest(WORKED_WITH) !== null
          const isNode = part.type === 'component' || part.type === 'region'
          if (isNode && !isWorkedWith) session.inspect('wide')
        },
        onPaneContextMenu: (event: MouseEvent | React.MouseEvent) => {
          event.preventDefault()
          add(event)
        },
        onNodeContextMenu: (event: React.MouseEvent, part: CanvasPart) => {
          if (part.type === 'note') return
          event.preventDefault()
          // Of what is selected, the menu is about all of it.
          if (!session.state().selection.parts.has(part.id)) {
            session.select({ parts: new Set([part.id]), wires: new Set() })
          }
          openMenu(part.id, { left: event.clientX, top: event.clientY, width: 0, height: 0 })
        },
        // The box around many that were selected together lies over them.
        onSelectionContextMenu: (event: React.MouseEvent, parts: CanvasPart[]) => {
          event.preventDefault()
          const first = parts.find(({ type }) => type === 'component' || type === 'region') ?? parts[0]
          if (first !== undefined)
            openMenu(first.id, { left: event.clientX, top: event.clientY, width: 0, height: 0 })
        }
      }
    }
  }, [session, pointer, quickAdd, openMenu])
}

/** The node that this press selects. */
function newlyPointedAt(event: React.MouseEvent, { flow, selection }: EditorState): string | undefined {
  const target = event.target as Element
  const id = target.closest<HTMLElement>('[data-node]')?.dataset.node
  if (id === undefined || isAdding(event) || target.closest(WORKED_WITH) !== null) return undefined
  return selection.parts.has(id) || findNode(flow, id) === undefined ? undefined : id
}

/** To what is selected. */
function isAdding({ shiftKey, ctrlKey, metaKey }: React.MouseEvent): boolean {
  return shiftKey || ctrlKey || metaKey
}

/**
 * With Shift, a browser marks all text from the last click to this one; on the canvas, Shift selects parts. What is
 * marked would be copied in their place.
 */
function selectPartsNotText(event: React.MouseEvent<HTMLElement>): void {
  const target = event.target as Element
  const part = target.closest<HTMLElement>('[data-node]')
  const isGround = target.classList.contains('react-flow__pane')
  if (!event.shiftKey || (!isGround && part === null) || target.closest(WORKED_WITH) !== null) return
  event.preventDefault()
  document.getSelection()?.removeAllRanges()
  // That, too, the browser would have done.
  const focused = part ?? event.currentTarget
  focused.focus({ preventScroll: true })
}

/** Text and buttons on a node, which are no handle of it. */
const WORKED_WITH = '.nodrag, input, textarea, select, button, a'

function pointOf({ clientX, clientY }: Pointed): Point {
  return { x: clientX, y: clientY }
}
