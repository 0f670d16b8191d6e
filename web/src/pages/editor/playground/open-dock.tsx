import { ActionIcon, Tooltip } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { useFlow } from '../../../api/flows.ts'
import { IconArrowsDiagonal } from '../../../design/icons/canvas-icons.ts'
import { IconArrowUpRight } from '../../../design/icons/editor-icons.ts'
import { IconX } from '../../../design/icons/page-icons.ts'
import { PlaygroundBeside } from '../../playground/playground-beside.tsx'
import { useEditor, useEditorState } from '../editor-context.ts'
import { whenSaved } from '../save/when-saved.ts'
import { useSaving } from '../session/saving-context.ts'
import classes from './playground-dock.module.css'
import { usePlaygroundDock } from './use-playground-dock.ts'

/** Loaded when it is first opened. */
export function OpenDock() {
  const { flowId } = useEditor()
  const { isWide, toggle, toggleWide } = usePlaygroundDock()
  return (
    <aside
      className={classes.dock}
      aria-label="Playground"
      data-dock
      data-beside-canvas
      data-wide={isWide || undefined}
    >
      <header className={classes.head}>
        <h2>Playground</h2>
        <Tooltip label={isWide ? 'Narrow' : 'Wide, with the sessions'}>
          <ActionIcon
            className={classes.widen!}
            aria-label="Wide, with the sessions"
            aria-pressed={isWide}
            onClick={toggleWide}
          >
            <IconArrowsDiagonal size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="On a page of its own">
          <ActionIcon
            component={Link}
            to={`/flows/${flowId}/playground`}
            aria-label="Open the page of the Playground"
          >
            <IconArrowUpRight size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <ActionIcon aria-label="Close the Playground" onClick={toggle}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </header>
      <Turns isWide={isWide} />
    </aside>
  )
}

function Turns({ isWide }: { readonly isWide: boolean }) {
  const editor = useEditor()
  const saving = useSaving()
  const { data: live } = useFlow(editor.flowId)
  const nodes = useEditorState(({ flow }) => flow.nodes)
  const flow = useMemo(() => live && { ...live, nodes: [...nodes] }, [live, nodes])
  const drafts = useMemo(
    () => ({
      prepare: async () => {
        const status = await whenSaved(editor, saving)
        if (status !== undefined && status !== 'clean')
          throw new Error('Your changes are not saved yet. The reason is beside the name of the flow.')
      }
    }),
    [editor, saving]
  )
  return flow === undefined ? null : <PlaygroundBeside flow={flow} drafts={drafts} isWide={isWide} />
}
