import { CopyButton } from '../../../design/copy-button.tsx'
import classes from './message-text.module.css'

interface CodeBlockProps {
  readonly text: string
  readonly language?: string
}

export function CodeBlock({ text, language }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <div className={classes.blockBar}>
        <span>{language ?? 'code'}</span>
        <CopyButton text={text} label="Copy the code" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
