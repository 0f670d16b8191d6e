import { Button } from '@mantine/core'
import { IconCopyPlus, IconFocus2 } from '../../../design/icons/editor-icons.ts'
import { IconTrash } from '../../../design/icons/page-icons.ts'
import { findNode, notesOf } from '../../../editor/graph/flow.ts'
import { useEditing } from '../actions/use-editing.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { NodeDetails } from './node-details.tsx'
import { NoteDetails } from './note-details.tsx'
import classes from './outline.module.css'

/** The whole of what is selected: all that its node shows, and all that it does not. */
export function PartDetails() {
  const parts = useEditorState(({ selection }) => selection.parts)
  const [only] = parts.size === 1 ? parts : []
  const node = useEditorState(({ flow }) => (only === undefined ? undefined : findNode(flow, only)))
  const note = useEditorState(({ flow }) => notesOf(flow).find(({ id }) => id === only))
  if (parts.size === 0) return <p className={classes.nothing}>Choose a node to see and edit all of it.</p>
  return (
    <div className={classes.details} data-details>
      {parts.size > 1 && <p className={classes.nothing}>{parts.size} parts are selected.</p>}
      {node !== undefined && <NodeDetails key={node.id} node={node} />}
      {note !== undefined && <NoteDetails key={note.id} note={note} />}
      <Actions only={only} />
    </div>
  )
}

function Actions({ only }: { readonly only: string | undefined }) {
  const editor = useEditor()
  const editing = useEditing()
  const parts = useEditorState(({ selection }) => selection.parts)
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  return (
    <div className={classes.actions}>
      {only !== undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFocus2 size={14} aria-hidden />}
          onClick={() => editor.goTo(only)}
        >
          Show on the canvas
        </Button>
      )}
      {!isReadOnly && (
        <>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconCopyPlus size={14} aria-hidden />}
            onClick={() => editing.duplicate(parts)}
          >
            Duplicate
          </Button>
          <Button
            size="xs"
            variant="default"
            color="red"
            leftSection={<IconTrash size={14} aria-hidden />}
            onClick={() => editing.remove(parts)}
          >
            Delete
          </Button>
        </>
      )}
    </div>
  )
}
