import { Loader } from '@mantine/core'
import classes from './assistant.module.css'
import type { Asking } from './talk.ts'

/** What the assistant is doing, and what the model says meanwhile. */
export function Progress({ asking: { doing, text } }: { readonly asking: Asking }) {
  const [last = 'Begins', ...before] = doing.toReversed()
  return (
    <section aria-label="Progress" className={classes.progress}>
      {before.length > 0 && (
        <ol className={classes.done}>
          {before.toReversed().map((what, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was done is added at the end, and never reordered.
            <li key={index}>{what}</li>
          ))}
        </ol>
      )}
      <p className={classes.doing} role="status">
        <Loader size={12} aria-hidden /> {last}…
      </p>
      {text !== '' && <p className={classes.answered}>{text}</p>}
    </section>
  )
}
