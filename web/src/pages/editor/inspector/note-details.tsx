import { Select, Textarea } from '@mantine/core'
import { NOTE_COLOURS } from '../../../../../src/flows/document/note-colours.ts'
import type { Note, NoteColour } from '../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../editor-context.ts'

export function NoteDetails({ note }: { readonly note: Note }) {
  const editor = useEditor()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  return (
    <>
      <Textarea
        size="xs"
        label="Text, in Markdown"
        value={note.text}
        readOnly={isReadOnly}
        autosize
        minRows={4}
        maxRows={16}
        maxLength={20_000}
        onChange={({ target }) =>
          editor.execute({ kind: 'change-note', note: note.id, changes: { text: target.value } })
        }
      />
      <Select
        size="xs"
        label="Colour"
        value={note.colour ?? 'yellow'}
        data={[...NOTE_COLOURS]}
        disabled={isReadOnly}
        allowDeselect={false}
        onChange={(colour) =>
          editor.execute({ kind: 'change-note', note: note.id, changes: { colour: colour as NoteColour } })
        }
      />
    </>
  )
}
