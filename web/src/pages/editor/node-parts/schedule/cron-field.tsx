import { lazy, Suspense, useId, useState } from 'react'
import { cronFromWords } from '../../../../editor/schedule/cron-from-words.ts'
import { cronWords } from '../../../../editor/schedule/cron-words.ts'
import { FieldControl } from '../../fields/field-control.tsx'
import fields from '../../fields/fields.module.css'
import type { FieldPartProps } from '../../node-part.ts'
import classes from './next-times.module.css'

const EXAMPLES = ['0 * * * *', '0 9 * * 1-5', '0 8 * * 1', '0 23 L * *']

const nothing = () => <></>

/** What reads cron is loaded with the first schedule that is looked at; where it does not arrive, the field works without. */
const NextTimes = lazy(() =>
  import('./next-times-list.tsx').then(
    ({ NextTimesList }) => ({ default: NextTimesList }),
    () => ({ default: nothing })
  )
)

/** A cron expression, with words that make one, examples, and the times that follow from it. */
export function CronField(props: FieldPartProps) {
  const { node, value, onChange, isReadOnly } = props
  const { timezone } = node.fields
  return (
    <>
      <FieldControl {...props} />
      {!isReadOnly && <InWords onChange={onChange} />}
      {!isReadOnly && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders of its own, and this is no part of the form
        <div role="group" aria-label="Examples" className={classes.examples}>
          {EXAMPLES.map((cron) => (
            <button
              key={cron}
              type="button"
              className={fields.add}
              title={cron}
              onClick={() => onChange(cron)}
            >
              {cronWords(cron)}
            </button>
          ))}
        </div>
      )}
      <Suspense>
        <NextTimes cron={String(value)} timezone={typeof timezone === 'string' ? timezone : ''} />
      </Suspense>
    </>
  )
}

/** Words become the expression as soon as they are understood; what is not said in full yet changes nothing. */
function InWords({ onChange }: Pick<FieldPartProps, 'onChange'>) {
  const [words, setWords] = useState('')
  const saidId = useId()
  const cron = cronFromWords(words)
  const write = (typed: string) => {
    setWords(typed)
    const understood = cronFromWords(typed)
    if (understood !== undefined) onChange(understood)
  }
  return (
    <>
      <input
        className={`${fields.control} nodrag`}
        aria-label="In words"
        aria-describedby={saidId}
        placeholder="In words: every weekday at 9"
        value={words}
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
      <p id={saidId} className={fields.help} aria-live="polite">
        {words.trim() !== '' && (cron === undefined ? NOT_UNDERSTOOD : `${cronWords(cron)}.`)}
      </p>
    </>
  )
}

const NOT_UNDERSTOOD =
  'Not understood yet. Write, for example, every 15 minutes, or mondays and fridays at 8:30.'
