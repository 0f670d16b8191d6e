import { Select, TextInput } from '@mantine/core'
import { NOTE_COLOURS } from '../../../../../src/flows/document/note-colours.ts'
import type { NoteColour } from '../../../editor/graph/flow.ts'
import { type Group, nodesOf } from '../../../editor/groups/groups.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './part.module.css'

/** The title, the colour and the nodes of a group. */
export function GroupDetails({ group }: { readonly group: Group }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  return (
    <div className={classes.group}>
      <TextInput
        size="xs"
        label="Title"
        placeholder="Group"
        value={group.text}
        readOnly={isReadOnly}
        maxLength={200}
        onChange={({ target }) =>
          editor.execute({ kind: 'change-note', note: group.id, changes: { text: target.value } })
        }
      />
      <Select
        size="xs"
        label="Colour"
        value={group.colour ?? 'grey'}
        data={[...NOTE_COLOURS]}
        disabled={isReadOnly}
        allowDeselect={false}
        onChange={(colour) =>
          editor.execute({ kind: 'change-note', note: group.id, changes: { colour: colour as NoteColour } })
        }
      />
      <div className={classes.ports}>
        <h3>Nodes</h3>
        <ul className={classes.members}>
          {nodesOf(flow, group).map((node) => (
            <li key={node.id}>
              <button type="button" className={classes.member} onClick={() => editor.goTo(node.id)}>
                {catalogue.titleOf(node)} <span>{node.id}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
