import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowsDiagonal } from '../../../design/icons/canvas-icons.ts'
import { IconLayoutSidebarRightExpand } from '../../../design/icons/editor-icons.ts'
import { IconX } from '../../../design/icons/page-icons.ts'
import { useEditor } from '../editor-context.ts'
import classes from './inspector.module.css'
import { useKeptScroll } from './use-kept-scroll.ts'

interface InspectorFrameProps {
  readonly title: React.ReactNode
  readonly isWide: boolean
  /** What is shown: it is scrolled to where it was when it was shown before. */
  readonly of?: string
  /** Buttons beside those that every inspector has. */
  readonly tools?: React.ReactNode
  readonly children: React.ReactNode
}

/** The head of the inspector, and the room below it. */
export function InspectorFrame({ title, isWide, of = '', tools, children }: InspectorFrameProps) {
  const editor = useEditor()
  const scroll = useKeptScroll(of)
  return (
    <>
      <header className={classes.head}>
        <div className={classes.heading}>
          {/* What is below it has headings of its own, which need one above them. */}
          {typeof title === 'string' ? <h2>{title}</h2> : <h2 className="visually-hidden">Inspector</h2>}
          {typeof title === 'string' ? null : title}
        </div>
        {tools}
        <Tooltip label={isWide ? 'Beside the canvas' : 'Across the page'}>
          <ActionIcon
            className={classes.widen!}
            aria-label={isWide ? 'Put the inspector beside the canvas' : 'Widen the inspector'}
            onClick={() => editor.inspect(isWide ? 'side' : 'wide')}
          >
            {isWide ? (
              <IconLayoutSidebarRightExpand size={18} aria-hidden />
            ) : (
              <IconArrowsDiagonal size={18} aria-hidden />
            )}
          </ActionIcon>
        </Tooltip>
        <ActionIcon aria-label="Close the inspector" onClick={() => editor.inspect('closed')}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <section className={classes.body} aria-label="All of it" tabIndex={0} {...scroll}>
        {children}
      </section>
    </>
  )
}
