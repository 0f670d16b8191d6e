import { Link } from 'react-router'
import { withSignsShown } from '../../../../../src/flows/template/signs-shown.ts'
import { isBySecret } from '../../../../../src/flows/webhook-auth.ts'
import { useRun } from '../../../api/runs.ts'
import type { WebhookAnswer } from '../../../api/webhook.ts'
import { beginningOf } from '../../../design/beginning.ts'
import { duration } from '../../../design/format-time.ts'
import { IconCircleCheck } from '../../../design/icons/page-icons.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { StateBadge } from '../../../design/state-badge.tsx'
import type { WebhookEntry } from '../node-parts/webhook/webhook-entry.ts'
import classes from './payload-panel.module.css'

interface TestAnswerProps {
  readonly answer: WebhookAnswer
  /** Whether the flow ran as it is drawn: the endpoint runs what is published. */
  readonly isAsDrawn: boolean
  readonly entry: WebhookEntry | undefined
}

/** How the endpoint answered, and what became of the run. */
export function TestAnswer({ answer, isAsDrawn, entry }: TestAnswerProps) {
  const { status, problem, runId, durationMs, body } = answer
  if (problem !== undefined) {
    return (
      <div className={classes.answer}>
        <ProblemNote error={problem} />
        {status === 401 && <Unauthorized entry={entry} />}
        {runId !== undefined && <RunLine run={runId} />}
      </div>
    )
  }
  return (
    <div className={classes.answer}>
      <p className={classes.accepted}>
        <IconCircleCheck size={16} aria-hidden />
        <strong>{status === 202 ? '202 Accepted' : `Answered ${status}`}</strong> in {duration(durationMs)}
      </p>
      {status !== 202 && body !== '' && (
        <pre className={classes.said}>{withSignsShown(beginningOf(body) ?? body)}</pre>
      )}
      {!isAsDrawn && (
        <p className={classes.hint}>
          Your changes are not published yet, so the version that is live ran, without them.
        </p>
      )}
      {runId !== undefined && <RunLine run={runId} />}
    </div>
  )
}

/** The state follows the run by itself: live events ask for it again. */
function RunLine({ run: id }: { readonly run: string }) {
  const { data: run } = useRun(id)
  return (
    <>
      <p className={classes.line}>
        <Link to={`/runs/${id}`}>
          Run <code>{id}</code>
        </Link>
        {run !== undefined && <StateBadge state={run.status} />}
      </p>
      {run?.error != null && <p className={classes.failed}>{run.error.message}</p>}
    </>
  )
}

function Unauthorized({ entry }: { readonly entry: WebhookEntry | undefined }) {
  if (entry === undefined || !isBySecret(entry.auth)) return null
  return (
    <p className={classes.hint}>
      The endpoint asks its sender for a secret.{' '}
      {entry.secret === '' && entry.sender === ''
        ? 'Choose the connection of its sender on the node, or set the secret.'
        : 'Send a request from the sender itself, and listen for it.'}
    </p>
  )
}
