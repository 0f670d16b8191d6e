import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { GuardedMarkdown } from '../../playground/markdown/guarded-markdown.tsx'
import { linkTo } from '../../playground/markdown/safe-address.ts'
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
    <GuardedMarkdown text={text} plain={<p className={classes.plain}>{text}</p>}>
      <div className={classes.text}>
        <Markdown remarkPlugins={PLUGINS} components={COMPONENTS}>
          {text}
        </Markdown>
      </div>
    </GuardedMarkdown>
  )
}

/** An address that is not a whole one of the web or of mail is left out: a link to nowhere would lead back to this page. */
function Link({ href = '', children }: React.ComponentProps<'a'>) {
  const address = linkTo(href)
  if (address === undefined) return <>{children}</>
  return (
    <a href={address} title={address} target="_blank" rel="noreferrer noopener" className="nodrag">
      {children}
    </a>
  )
}

const COMPONENTS = { a: Link, img: () => null }
