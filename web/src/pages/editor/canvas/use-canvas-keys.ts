import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useMemo } from 'react'
import { isField, isMac } from '../../../shell/shortcut-keys.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { GRID } from '../geometry/node-geometry.ts'
import type { EditorSession } from '../session/editor-session.ts'
import { useNodeMenu } from '../session/node-menu-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { type Direction, nearest, neighbour, type Placed } from './neighbour.ts'

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down'
}

/**
 * The keyboard on the canvas: arrows lead from node to node, with Alt they move what is selected, Enter goes into the
 * inspector and Escape out again. Shortcuts that work wherever the focus is are in use-editor-commands.ts.
 */
export function useCanvasKeys() {
  const session = useEditorSession()
  const { getNodes, screenToFlowPosition } = useReactFlow<CanvasPart, CanvasWire>()
  const store = useStoreApi()
  const openMenu = useNodeMenu()
  return useMemo(() => {
    const walk = (from: string | undefined, direction: Direction) => {
      const parts = getNodes().map(placed)
      const start = parts.find(({ id }) => id === from)
      const box = store.getState().domNode?.getBoundingClientRect()
      const to =
        start === undefined
          ? box && nearest(parts, screenToFlowPosition(middleOf(box)))
          : neighbour(parts, start, direction)
      if (to !== undefined) session.goTo(to)
    }
    const onAnyKey = (event: React.KeyboardEvent, id: string | undefined): boolean => {
      const direction = DIRECTIONS[event.key]
      if (direction === undefined && event.key !== 'Escape') return false
      if (direction === undefined) leave(session)
      else if (event.altKey) push(session, direction)
      else walk(id, direction)
      return true
    }
    const onPartKey = (event: React.KeyboardEvent, part: HTMLElement, id: string): boolean => {
      if (event.key === 'Enter') enter(session, id)
      else if (event.key === 'F2') session.rename(id)
      else if (event.key === ' ') toggle(session, id)
      else if (isMenuKey(event)) openMenu(id, part.getBoundingClientRect())
      else return false
      return true
    }
    const onCanvasKey = (event: React.KeyboardEvent): boolean => {
      const target = event.target as HTMLElement
      const id = target.dataset.node
      if (id === undefined && target !== event.currentTarget) return false
      return onAnyKey(event, id) || (id !== undefined && onPartKey(event, target, id))
    }
    return {
      onKeyDown: (event: React.KeyboardEvent) => {
        if (event.defaultPrevented) return
        const isDone = isField(event.target) ? onFieldKey(event, session) : onCanvasKey(event)
        if (isDone) event.preventDefault()
      }
    }
  }, [session, getNodes, screenToFlowPosition, store, openMenu])
}

/** In a field, what is undone is the flow: an input of the browser would undo its own letters only. */
export function onFieldKey(event: React.KeyboardEvent, session: EditorSession): boolean {
  const target = event.target as HTMLElement
  if (event.key === 'Escape') {
    const node = target.closest<HTMLElement>('[data-node]')
    node?.focus({ preventScroll: true })
    return node !== null
  }
  const isMod = isMac ? event.metaKey : event.ctrlKey
  // What is typed is text, also where no shortcut knows yet that it is.
  if (!isMod) event.stopPropagation()
  if (!isMod || event.altKey) return false
  const key = event.key.toLowerCase()
  if (key === 'z' && !event.shiftKey) session.undo()
  else if (key === 'y' || (key === 'z' && event.shiftKey)) session.redo()
  else return false
  return true
}

function isMenuKey({ key, shiftKey }: React.KeyboardEvent): boolean {
  return key === 'ContextMenu' || (key === 'F10' && shiftKey)
}

/** Into the fields of the node, which the inspector shows; they are there a moment later. */
function enter(session: EditorSession, id: string): void {
  session.select({ parts: new Set([id]), wires: new Set() })
  const isNode = session.state().flow.nodes.some((node) => node.id === id)
  if (session.state().inspector !== 'wide') session.inspect(isNode ? 'wide' : 'side')
  requestAnimationFrame(() => {
    const inspected = document.querySelector(`[data-inspected="${CSS.escape(id)}"]`)
    inspected?.querySelector<HTMLElement>(FIELDS)?.focus()
  })
}

const FIELDS = 'input:not([readonly]), textarea, select, [role="textbox"], button, summary'

/** Closes what is open, and clears the selection when nothing is. */
function leave(session: EditorSession): void {
  const { inspector, panel } = session.state()
  if (inspector !== 'closed' && panel === undefined) session.inspect('closed')
  else session.select({ parts: new Set(), wires: new Set() })
}

function toggle(session: EditorSession, id: string): void {
  const parts = new Set(session.state().selection.parts)
  if (!parts.delete(id)) parts.add(id)
  session.select({ parts })
}

/** All that is selected goes one step; steps that follow each other quickly are undone together. */
function push(session: EditorSession, direction: Direction): void {
  const { flow, selection } = session.state()
  const [x, y] = { left: [-GRID, 0], right: [GRID, 0], up: [0, -GRID], down: [0, GRID] }[direction]!
  const moved = [...flow.nodes, ...(flow.notes ?? [])].filter(({ id }) => selection.parts.has(id))
  const positions = Object.fromEntries(
    moved.map(({ id, position }) => [id, { x: position.x + x!, y: position.y + y! }])
  )
  session.execute({ kind: 'move', positions }, `push ${[...selection.parts].join(' ')}`)
}

function placed({ id, type, position, measured }: CanvasPart): Placed {
  // A frame is where its title is: its middle is among its nodes.
  const isAround = type === 'group' || type === 'region'
  const { width = 0, height = 0 } = isAround ? { height: 0 } : (measured ?? {})
  return { id, at: { x: position.x + width / 2, y: position.y + height / 2 } }
}

function middleOf({ left, top, width, height }: DOMRect) {
  return { x: left + width / 2, y: top + height / 2 }
}
