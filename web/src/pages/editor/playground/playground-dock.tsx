import { ActionIcon, Tooltip } from '@mantine/core'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useFlow } from '../../../api/flows.ts'
import { IconArrowUpRight } from '../../../design/icons/editor-icons.ts'
import { IconX } from '../../../design/icons/page-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { NARROW } from '../../runs/list/row-height.ts'
import { useEditor, useEditorState } from '../editor-context.ts'
import { whenSaved } from '../save/when-saved.ts'
import { useSaving } from '../session/saving-context.ts'
import classes from './playground-dock.module.css'
import { usePlaygroundDock } from './use-playground-dock.ts'

const PlaygroundBeside = lazy(() =>
  import('../../playground/playground-beside.tsx').then(({ PlaygroundBeside: part }) => ({ default: part }))
)

/** The Playground beside the canvas: what is said in it runs what is drawn. */
export function PlaygroundDock() {
  const { isOpen, close } = usePlaygroundDock()
  // On a phone it covers the canvas: what was left open is not what somebody opens a flow for.
  const [isLeftOpen, setLeftOpen] = useState(() => isOpen && window.matchMedia(NARROW).matches)
  useEffect(() => {
    if (!isLeftOpen) return
    close()
    setLeftOpen(false)
  }, [isLeftOpen, close])
  return isOpen && !isLeftOpen ? <OpenDock /> : null
}

function OpenDock() {
  const { flowId } = useEditor()
  const { toggle } = usePlaygroundDock()
  return (
    <aside className={classes.dock} aria-label="Playground" data-dock>
      <header className={classes.head}>
        <h2>Playground</h2>
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
      <Suspense fallback={<LoadingState rows={4} height={48} />}>
        <Turns />
      </Suspense>
    </aside>
  )
}

function Turns() {
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
  return flow === undefined ? null : <PlaygroundBeside flow={flow} drafts={drafts} />
}
