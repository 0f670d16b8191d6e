import { JsonEditor } from '../../../../design/json-editor/json-editor.tsx'
import { feedingNodes } from '../template/template-source.ts'
import classes from './code.module.css'
import type { CodeInput } from './use-code-input.ts'

interface OwnInputProps {
  readonly input: CodeInput
  readonly onRun: () => void
}

/** Where nothing has come yet: how to get something, and a value of one's own until then. */
export function OwnInput({ input: { own, sample, data }, onRun }: OwnInputProps) {
  if (own === undefined) return null
  const isWired = feedingNodes(sample.source).length > 0
  return (
    <section
      className={classes.sampleInput}
      aria-label="Sample input"
      // Before the editor makes a line of it.
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        event.stopPropagation()
        onRun()
      }}
    >
      <h3>Sample input</h3>
      <p className={classes.quiet}>
        {isWired
          ? 'Nothing has come in yet. Run the flow once, or pin the output of the node before this one. Until then it is tried with this:'
          : 'Nothing is wired to this node. Connect an output to it, and run the flow once. Until then it is tried with this:'}
      </p>
      <JsonEditor value={own.text} onChange={own.write} label="Sample input" height={84} />
      {data === undefined && <p className={classes.error}>This is not JSON yet.</p>}
    </section>
  )
}
