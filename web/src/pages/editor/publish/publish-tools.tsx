import { Button, Menu, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconCloudUp, IconHistory } from '../../../design/icons/editor-icons.ts'
import { IconChevronDown, IconTrash } from '../../../design/icons/page-icons.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { liveInWords } from '../../../editor/graph/live-standing.ts'
import { type Command, useCommands } from '../../../shell/commands.ts'
import { type Editor, useEditor, useEditorState } from '../editor-context.ts'
import { useHasChanges } from '../save/use-has-changes.ts'
import { useSaving } from '../session/saving-context.ts'
import { showVersions } from '../versions/show-versions.tsx'
import classes from './publish.module.css'
import { PUBLISH, showPublish } from './show-publish.tsx'
import { usePublishActions } from './use-publish-actions.tsx'

/** Publish, and what goes with it: in the toolbar and among the commands. */
export function PublishTools() {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  return isReadOnly ? null : <Tools />
}

function Tools() {
  const editor = useEditor()
  const hasChanges = useHasChanges()
  const live = useEditorState((state) => state.live)
  const isOpen = useEditorState(({ panel }) => panel?.id === PUBLISH)
  const actions = usePublishActions()
  usePublishCommands(hasChanges)
  return (
    <Button.Group>
      <Tooltip label={liveInWords(live)}>
        <Button
          size="compact-sm"
          variant={hasChanges ? 'filled' : 'default'}
          aria-pressed={isOpen}
          aria-disabled={!hasChanges || undefined}
          data-disabled={!hasChanges}
          onClick={() => (isOpen || hasChanges) && toggle(editor)}
        >
          Publish
        </Button>
      </Tooltip>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant={hasChanges ? 'filled' : 'default'}
            className={classes.more!}
            aria-label="More about publishing"
          >
            <IconChevronDown size={15} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{liveInWords(live)}</Menu.Label>
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => showVersions(editor)}>
            Versions
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={() => void actions.undo(live.version)}
          >
            Undo the last publish
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            color="red"
            disabled={!hasChanges}
            onClick={() => void actions.discard()}
          >
            Discard the draft…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

function toggle(editor: Editor): void {
  if (editor.state().panel?.id === PUBLISH) editor.closePanel()
  else showPublish(editor)
}

function usePublishCommands(hasChanges: boolean): void {
  const editor = useEditor()
  const saving = useSaving()
  const actions = usePublishActions()
  const group = 'Draft'
  const open: Command = {
    id: 'draft.publish',
    title: 'Publish…',
    group,
    keys: 'mod+s',
    icon: IconCloudUp,
    keywords: 'save live release deploy',
    worksInFields: true,
    run: () => {
      saving.flush()
      if (hasChanges) toggle(editor)
      else notifyDone(`Nothing to publish: version ${editor.state().live.version} is what you see.`)
    }
  }
  const undo: Command = {
    id: 'draft.undo-publish',
    title: 'Undo the last publish',
    group,
    icon: IconArrowBackUp,
    keywords: 'roll back revert version',
    run: () => void actions.undo(editor.state().live.version)
  }
  const discard: Command = {
    id: 'draft.discard',
    title: 'Discard the draft…',
    group,
    icon: IconTrash,
    keywords: 'throw away revert live',
    run: () => void actions.discard()
  }
  useCommands([open, undo, ...(hasChanges ? [discard] : [])])
}
