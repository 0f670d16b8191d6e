import { lazy, Suspense, useState } from 'react'
import { IconToolCall } from '../../design/icons/list-icons.ts'
import classes from './tool-calls.module.css'

const CallsOfRun = lazy(() =>
  import('./calls-of-run.tsx').then(({ CallsOfRun: part }) => ({ default: part }))
)

interface RunCallsProps {
  readonly runId: string
  /** The nodes of the flow that are agents. */
  readonly agents: readonly string[]
}

/** What the agents of a run that is over have called: folded, and read when somebody unfolds it. */
export function RunCalls({ runId, agents }: RunCallsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <IconToolCall size={14} aria-hidden className={classes.icon} />
        Tool calls
      </summary>
      {isOpen && (
        <Suspense fallback={null}>
          {agents.map((agent) => (
            <CallsOfRun key={agent} runId={runId} agent={agent} />
          ))}
        </Suspense>
      )}
    </details>
  )
}
