import { GroupDetails } from '../inspector/group-details.tsx'
import { NoteDetails } from '../inspector/note-details.tsx'
import { PartActions } from '../inspector/part-actions.tsx'
import { SeveralParts } from '../inspector/several-parts.tsx'
import { useSelectedPart } from '../session/use-selected-part.ts'
import { NodeDetails } from './node-details.tsx'
import classes from './outline.module.css'

/** The whole of what is selected: all that its node shows, and all that it does not. */
export function PartDetails() {
  const { count, node, group, note } = useSelectedPart()
  if (count === 0) return <p className={classes.empty}>Choose a node to see and edit all of it.</p>
  return (
    <div className={classes.details} data-details>
      {node !== undefined && <NodeDetails key={node.id} node={node} />}
      {group !== undefined && <GroupDetails key={group.id} group={group} />}
      {note !== undefined && <NoteDetails key={note.id} note={note} />}
      {count > 1 ? <SeveralParts /> : <PartActions />}
    </div>
  )
}
