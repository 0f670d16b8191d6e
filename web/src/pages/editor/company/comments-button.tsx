import { Tooltip } from '@mantine/core'
import { useComments } from '../../../api/comments.ts'
import { IconMessage } from '../../../design/icons/component-icons.ts'
import { useCommands } from '../../../shell/commands.ts'
import { KeyCaps } from '../../../shell/key-caps.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import classes from './company.module.css'
import { COMMENTS, showComments } from './show-comments.tsx'

const KEYS = 'shift+c'

/** In the editor's toolbar: what people have written about the flow. */
export function CommentsButton() {
  const editor = useEditor()
  const isOpen = useEditorState(({ panel }) => panel?.id === COMMENTS)
  const open = useComments(editor.flowId).filter(({ done_at }) => done_at === null).length
  const toggle = () => (isOpen ? editor.closePanel() : showComments(editor))
  useCommands([
    {
      id: 'flow.comments',
      title: 'Comments',
      group: 'Flow',
      keys: KEYS,
      icon: IconMessage,
      keywords: 'comment note discuss review',
      run: toggle
    }
  ])
  return (
    <Tooltip
      label={
        <>
          Comments <KeyCaps keys={KEYS} />
        </>
      }
    >
      <button
        type="button"
        className={classes.button}
        aria-label={open === 0 ? 'Comments' : `Comments, ${open} open`}
        aria-pressed={isOpen}
        onClick={toggle}
      >
        <IconMessage size={18} aria-hidden />
        {open > 0 && <span className={classes.count}>{open}</span>}
      </button>
    </Tooltip>
  )
}
