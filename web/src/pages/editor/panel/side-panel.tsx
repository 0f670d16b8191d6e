import { ActionIcon } from '@mantine/core'
import { type RefObject, useLayoutEffect, useRef } from 'react'
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
  const room = useRef<HTMLElement>(null)
  useFocusBack(room)
  return (
    <aside
      ref={room}
      className={classes.panel}
      style={widthOf(panel)}
      aria-label={panel.title}
      data-sheet={panel.isSheet || undefined}
      data-place={panel.place}
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

/**
 * A focus that was in the panel goes back to where it came from when the panel closes, or else to the canvas: at the top
 * of the page it would be lost. So does one that was lost already, with a button that went before the panel did.
 */
function useFocusBack(room: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const panel = room.current
    const opener = document.activeElement
    return () => {
      const focused = document.activeElement
      if (focused !== document.body && panel?.contains(focused) !== true) return
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
      const place = isThere ? opener : document.querySelector<HTMLElement>('[data-canvas]')
      place?.focus({ preventScroll: true })
    }
  }, [room])
}

/** A variable, because on a phone it counts for nothing. */
function widthOf({ width = 360 }: Panel): React.CSSProperties {
  return { '--panel-width': `${width}px` } as React.CSSProperties
}
