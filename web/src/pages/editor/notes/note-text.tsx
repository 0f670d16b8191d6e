import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import classes from './notes.module.css'

interface NoteTextProps {
  readonly text: string
  readonly isReadOnly: boolean
}

const PLUGINS = [remarkGfm]

/** Markdown without HTML in it: what looks like an element is shown as text. */
export function NoteText({ text, isReadOnly }: NoteTextProps) {
  if (text.trim() === '') return isReadOnly ? null : <p className={classes.empty}>Double click to write</p>
  return (
    <div className={classes.text}>
      <Markdown remarkPlugins={PLUGINS} components={{ a: Link, img: () => null }}>
        {text}
      </Markdown>
    </div>
  )
}

/** An address that is not safe has been taken away: a link to nowhere would lead back to this page. */
function Link({ href, children }: React.ComponentProps<'a'>) {
  if (href === undefined || href === '') return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className="nodrag">
      {children}
    </a>
  )
}
