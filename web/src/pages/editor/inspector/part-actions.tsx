import { Button } from '@mantine/core'
import { IconFrame } from '../../../design/icons/canvas-icons.ts'
import { IconCopyPlus, IconFocus2 } from '../../../design/icons/editor-icons.ts'
import { IconTrash } from '../../../design/icons/page-icons.ts'
import { groupsIn } from '../../../editor/groups/groups.ts'
import { useArranging } from '../actions/use-arranging.ts'
import { useEditing } from '../actions/use-editing.ts'
import { useRegionMoves } from '../actions/use-region-moves.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './part.module.css'

/** What can be done with all that is selected. */
export function PartActions() {
  const editor = useEditor()
  const editing = useEditing()
  const parts = useEditorState(({ selection }) => selection.parts)
  const [only] = parts.size === 1 ? parts : []
  const arranging = useArranging()
  const isGroup = useEditorState(({ flow }) => groupsIn(flow).some(({ id }) => parts.has(id)))
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
          {isGroup && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconFrame size={14} aria-hidden />}
              onClick={() => arranging.ungroup()}
            >
              Ungroup
            </Button>
          )}
          <RegionActions parts={parts} />
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

/** Into frames and out of them. */
function RegionActions({ parts }: { readonly parts: ReadonlySet<string> }) {
  const { regions, isInside, moveInto } = useRegionMoves(parts)
  return (
    <>
      {regions.map(({ id, title }) => (
        <Button key={id} size="xs" variant="default" onClick={() => moveInto(id)}>
          Move into {title}
        </Button>
      ))}
      {isInside && (
        <Button size="xs" variant="default" onClick={() => moveInto(undefined)}>
          Move out
        </Button>
      )}
    </>
  )
}
