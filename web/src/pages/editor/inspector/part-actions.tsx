import { Button } from '@mantine/core'
import { IconCopyPlus, IconFocus2 } from '../../../design/icons/editor-icons.ts'
import { IconTrash } from '../../../design/icons/page-icons.ts'
import { useEditing } from '../actions/use-editing.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './part.module.css'

/** What can be done with all that is selected. */
export function PartActions() {
  const editor = useEditor()
  const editing = useEditing()
  const parts = useEditorState(({ selection }) => selection.parts)
  const [only] = parts.size === 1 ? parts : []
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
