import { findNode, notesOf } from '../../../editor/graph/flow.ts'
import { findGroup } from '../../../editor/groups/groups.ts'
import { useEditorState } from '../editor-context.ts'
import { GroupDetails } from '../inspector/group-details.tsx'
import { NoteDetails } from '../inspector/note-details.tsx'
import { PartActions } from '../inspector/part-actions.tsx'
import { SeveralParts } from '../inspector/several-parts.tsx'
import { NodeDetails } from './node-details.tsx'
import classes from './outline.module.css'

/** The whole of what is selected: all that its node shows, and all that it does not. */
export function PartDetails() {
  const parts = useEditorState(({ selection }) => selection.parts)
  const [only] = parts.size === 1 ? parts : []
  const node = useEditorState(({ flow }) => (only === undefined ? undefined : findNode(flow, only)))
  const note = useEditorState(({ flow }) => notesOf(flow).find(({ id }) => id === only))
  const group = useEditorState(({ flow }) => (only === undefined ? undefined : findGroup(flow, only)))
  if (parts.size === 0) return <p className={classes.empty}>Choose a node to see and edit all of it.</p>
  return (
    <div className={classes.details} data-details>
      {node !== undefined && <NodeDetails key={node.id} node={node} />}
      {group !== undefined && <GroupDetails key={group.id} group={group} />}
      {note !== undefined && group === undefined && <NoteDetails key={note.id} note={note} />}
      {parts.size > 1 ? <SeveralParts /> : <PartActions />}
    </div>
  )
}
