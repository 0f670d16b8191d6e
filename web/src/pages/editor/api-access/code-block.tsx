import { CopyButton } from '../../../design/copy-button.tsx'
import classes from './api-access.module.css'

interface CodeBlockProps {
  readonly code: string
  /** What it is: "curl command", for the button that copies it and for screen readers. */
  readonly label: string
  /** What it is written in. */
  readonly language: string
  /** A part that stands out: what the reader has to fill in, or what was filled in for them. */
  readonly mark: string
}

export function CodeBlock({ code, label, language, mark }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      <div className={classes.blockHead}>
        <span>{language}</span>
        <CopyButton text={code} label={`Copy the ${label}`}>
          Copy
        </CopyButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard. */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
        <pre>
          <Marked code={code} mark={mark} />
        </pre>
      </section>
    </div>
  )
}

function Marked({ code, mark }: { readonly code: string; readonly mark: string }) {
  return code.split(mark).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
    <span key={index}>
      {index > 0 && <mark>{mark}</mark>}
      {part}
    </span>
  ))
}
