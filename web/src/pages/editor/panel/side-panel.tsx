import { ActionIcon } from '@mantine/core'
import { IconX } from '../../../design/icons/page-icons.ts'
import { type SidePanel as Panel, useEditor, useEditorState } from '../editor-context.ts'
import classes from './side-panel.module.css'

/** What is open beside the canvas, or below it. */
export function SidePanel({ place = 'beside' }: Pick<Panel, 'place'>) {
  const panel = useEditorState((state) => (place === 'below' ? state.below : state.panel))
  return panel === undefined ? null : <OpenPanel panel={panel} />
}

function OpenPanel({ panel }: { readonly panel: Panel }) {
  const editor = useEditor()
  return (
    <aside
      className={classes.panel}
      style={widthOf(panel)}
      aria-label={panel.title}
      data-sheet={panel.isSheet || undefined}
      data-place={panel.place}
      data-beside-canvas={panel.place !== 'below' || undefined}
    >
      <header className={classes.head}>
        <h2>{panel.title}</h2>
        <ActionIcon aria-label={`Close ${panel.title}`} onClick={() => editor.closePanel(panel.place)}>
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
