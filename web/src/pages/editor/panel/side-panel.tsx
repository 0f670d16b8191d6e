import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type SidePanel as Panel, useEditor, useEditorState } from '../editor-context.ts'
import classes from './side-panel.module.css'

/** What is open beside the canvas. */
export function SidePanel() {
  const editor = useEditor()
  const panel = useEditorState((state) => state.panel)
  if (panel === undefined) return null
  return (
    <aside className={classes.panel} style={widthOf(panel)} aria-label={panel.title}>
      <header className={classes.head}>
        <h2>{panel.title}</h2>
        <ActionIcon aria-label={`Close ${panel.title}`} onClick={() => editor.closePanel()}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <section className={classes.body} tabIndex={0} aria-label={panel.title} key={panel.id}>
        {panel.content}
      </section>
    </aside>
  )
}

/** A variable, because on a phone it counts for nothing. */
function widthOf({ width = 360 }: Panel): React.CSSProperties {
  return { '--panel-width': `${width}px` } as React.CSSProperties
}
