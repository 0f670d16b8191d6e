import { useEffect, useRef } from 'react'
import { isField } from '../../../shell/shortcut-keys.ts'
import { onFieldKey } from '../canvas/use-canvas-keys.ts'
import { useEditorState } from '../editor-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { useSelectedPart } from '../session/use-selected-part.ts'
import { FlowInspector } from './flow-inspector.tsx'
import { GroupDetails } from './group-details.tsx'
import classes from './inspector.module.css'
import { InspectorFrame } from './inspector-frame.tsx'
import { NodeInspector } from './node-inspector.tsx'
import { NoteDetails } from './note-details.tsx'
import { PartActions } from './part-actions.tsx'
import { SeveralParts } from './several-parts.tsx'
import { useNeighbourKeys } from './use-neighbour-keys.ts'

/** All of what is selected, beside the canvas; it follows the selection until it is closed. */
export function Inspector() {
  const size = useEditorState(({ inspector }) => inspector)
  return size === 'closed' ? null : <OpenInspector isWide={size === 'wide'} />
}

function OpenInspector({ isWide }: { readonly isWide: boolean }) {
  const session = useEditorSession()
  const onNeighbourKey = useNeighbourKeys()
  /** Step by step: from wide to what was before, from the side to the canvas. */
  const leave = () => {
    const [only] = session.state().selection.parts
    session.narrow()
    if (session.state().inspector !== 'closed') return
    const place = only === undefined ? '[data-canvas]' : `[data-canvas] [data-node="${CSS.escape(only)}"]`
    document.querySelector<HTMLElement>(place)?.focus({ preventScroll: true })
  }
  useEscapeFromNowhere(leave)
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.defaultPrevented) return
    if (event.key === 'Escape') leave()
    else if (!onNeighbourKey(event) && !(isField(event.target) && onFieldKey(event, session))) return
    event.preventDefault()
  }
  return (
    <aside
      className={classes.inspector}
      aria-label="Inspector"
      data-beside-canvas
      data-wide={isWide || undefined}
      data-sheet
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Inspected isWide={isWide} />
    </aside>
  )
}

/** A button that runs something loses the focus while it does: whoever goes on by keyboard is nowhere then, and still leaves by Escape. */
function useEscapeFromNowhere(leave: () => void): void {
  const newest = useRef(leave)
  newest.current = leave
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isNowhere = document.activeElement === document.body
      if (event.key === 'Escape' && isNowhere && !event.defaultPrevented) newest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function Inspected({ isWide }: { readonly isWide: boolean }) {
  const { count, node, group, note } = useSelectedPart()
  if (node !== undefined) return <NodeInspector key={node.id} node={node} isWide={isWide} />
  if (group !== undefined) {
    return (
      <InspectorFrame title="Group" of={group.id} isWide={isWide}>
        <GroupDetails key={group.id} group={group} />
        <PartActions />
      </InspectorFrame>
    )
  }
  if (note !== undefined) {
    return (
      <InspectorFrame title="Note" of={note.id} isWide={isWide}>
        <NoteDetails key={note.id} note={note} />
        <PartActions />
      </InspectorFrame>
    )
  }
  if (count > 1) {
    return (
      <InspectorFrame title={`${count} parts are selected`} isWide={isWide}>
        <SeveralParts />
      </InspectorFrame>
    )
  }
  return <FlowInspector isWide={isWide} />
}
