import { duration } from '../../../../design/format-time.ts'
import { ValueView } from '../../../../design/value-view/value-view.tsx'
import { LogLines } from '../../../../flow-parts/log-lines.tsx'
import classes from './code.module.css'
import type { CodeTrial } from './use-code-trial.ts'
import type { Trial } from './use-trial.ts'

interface CodeResultProps {
  readonly trial: CodeTrial
  /** The code as it is now: what came of other code is told to be older. */
  readonly value: string
  /** What to do for a result. */
  readonly hint: string
}

/** What came of the code: its result, its log, its error and the time that it took. */
export function CodeResult({ trial: { trial, isRunning, refusal }, value, hint }: CodeResultProps) {
  const isOld = trial !== undefined && trial.source !== value
  return (
    <section className={classes.result} aria-label="Result" data-result={statusOf(trial, isRunning, isOld)}>
      <div className={classes.resultHead}>
        <h3>Result</h3>
        <span className={classes.quiet} role="status">
          {isRunning ? 'Running…' : timeOf(trial)}
          {!isRunning && isOld && ', from before the last edit'}
        </span>
      </div>
      {refusal !== undefined && <p className={classes.quiet}>{refusal}</p>}
      {refusal === undefined && trial === undefined && <p className={classes.quiet}>{hint}</p>}
      {trial !== undefined && (
        <div className={classes.outcome}>
          <Outcome trial={trial} />
        </div>
      )}
    </section>
  )
}

function statusOf(trial: Trial | undefined, isRunning: boolean, isOld: boolean): string | undefined {
  if (isRunning) return 'running'
  if (isOld) return 'old'
  return trial?.tried?.status ?? (trial?.problem === undefined ? undefined : 'refused')
}

function timeOf(trial: Trial | undefined): string {
  const tried = trial?.tried
  if (tried === undefined) return ''
  return `${tried.status === 'succeeded' ? 'Took' : 'Failed after'} ${duration(tried.duration_ms)}`
}

function Outcome({ trial: { tried, problem } }: { readonly trial: Trial }) {
  if (problem !== undefined) return <Failure message={problem} />
  if (tried === undefined) {
    return <p className={classes.quiet}>Your key lacks the right “read”, so the result is not shown.</p>
  }
  const values = Object.entries(tried.outputs ?? {})
  return (
    <>
      {tried.error !== null && <Failure message={tried.error.message} />}
      {values.map(([name, value]) => (
        <ValueView key={name} value={value} label={`Trial ${name}`} />
      ))}
      {tried.error === null && values.length === 0 && (
        <p className={classes.quiet}>
          There is no result: the output is silent, and what follows is skipped.
        </p>
      )}
      {tried.logs !== undefined && tried.logs.length > 0 && (
        <div className={classes.log}>
          <h4>Log</h4>
          <LogLines lines={tried.logs} />
        </div>
      )}
    </>
  )
}

function Failure({ message }: { readonly message: string }) {
  return (
    <p className={classes.error} role="alert">
      {message}
    </p>
  )
}
