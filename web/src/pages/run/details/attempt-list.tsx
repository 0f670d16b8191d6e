import type { Attempt, Run } from '../../../api/shapes.ts'
import { duration } from '../../../design/format-time.ts'
import { StateBadge } from '../../../design/state-badge.tsx'
import classes from './details.module.css'

interface AttemptListProps {
  readonly attempts: readonly Attempt[]
  readonly run: Run
  readonly now: number
}

/** Each attempt of a step, with what it failed of and how long it waited for the next. */
export function AttemptList({ attempts, run, now }: AttemptListProps) {
  return (
    <section className={classes.attempts} aria-label="Attempts">
      <table>
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">Result</th>
            <th scope="col">Took</th>
            <th scope="col">Then waited</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt, index) => (
            <tr key={attempt.attempt}>
              <td>{attempt.attempt}</td>
              <td>
                <StateBadge state={stateOf(attempt, run)} />
              </td>
              <td>{took(attempt)}</td>
              <td>{waited(attempt, attempts[index + 1], now)}</td>
              <td className={classes.cause}>{attempt.error?.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function stateOf({ error, ended_at }: Attempt, { finished_at }: Run): string {
  if (error !== null) return 'failed'
  if (ended_at !== null) return 'succeeded'
  return finished_at === null ? 'in progress' : 'cancelled'
}

function took({ started_at, ended_at }: Attempt): string {
  if (started_at === null || ended_at === null) return '–'
  return duration(Date.parse(ended_at) - Date.parse(started_at))
}

function waited({ ended_at, retry_at }: Attempt, next: Attempt | undefined, now: number): string {
  if (retry_at === null) return '–'
  if (next?.started_at != null) {
    const from = ended_at ?? retry_at
    return ended_at === null
      ? 'until the retry'
      : duration(Math.max(0, Date.parse(next.started_at) - Date.parse(from)))
  }
  const left = Date.parse(retry_at) - now
  return left > 0 ? `${duration(left)} left` : 'over'
}
