import { Link } from 'react-router'
import type { Run, TokenUsage } from '../../api/shapes.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import { triggerWords } from '../../design/trigger-words.ts'
import { shortId } from '../runs/list/short-id.ts'
import { wholeDuration } from '../runs/whole-duration.ts'
import classes from './run-page.module.css'
import type { RunFlow } from './use-run-flow.ts'
import { firstStart } from './waterfall/bars.ts'

interface RunFactsProps {
  readonly run: Run
  readonly flow: RunFlow
  readonly now: number
}

/** What is known of the run as a whole. */
export function RunFacts({ run, flow, now }: RunFactsProps) {
  return (
    <dl className={classes.facts}>
      <Fact name="Flow">
        {flow.isGone ? (
          <span className={classes.flow}>{flow.name}</span>
        ) : (
          <Link to={`/flows/${flow.id}`} className={classes.flow}>
            {flow.name}
          </Link>
        )}
        <span className={classes.quiet}>
          {run.test ? ' a draft of' : ''} version {run.flow_version}
        </span>
        {flow.liveVersion !== undefined && flow.liveVersion !== run.flow_version && (
          <span className={classes.quiet}> ({flow.liveVersion} is live)</span>
        )}
      </Fact>
      <Fact name="Trigger">{triggerWords(run.trigger)}</Fact>
      <Fact name="Accepted">
        <RelativeTime at={run.created_at} />
      </Fact>
      <Fact name="In the queue">{queueWords(run, now)}</Fact>
      <Fact name="Duration">{durationWords(run, now)}</Fact>
      {run.usage !== null && <Fact name="Tokens">{tokenWords(run.usage)}</Fact>}
      <Fact name="Session">
        <Link to={`/flows/${flow.id}/playground?session=${encodeURIComponent(run.session)}`}>
          {run.session}
        </Link>
      </Fact>
      {run.replay_of !== null && (
        <Fact name="Replay of">
          <Link to={`/runs/${run.replay_of}`}>
            <code>{shortId(run.replay_of)}</code>
          </Link>
        </Fact>
      )}
      <Fact name="Run id">
        <span className={classes.id}>
          <code>{shortId(run.id)}</code>
          <CopyButton text={run.id} label="Copy the run id" />
        </span>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function queueWords(run: Run, now: number): string {
  const { created_at, finished_at } = run
  const until = firstStart(run) ?? (finished_at === null ? now : Date.parse(finished_at))
  const ms = until - Date.parse(created_at)
  return wholeDuration(Math.max(0, ms))
}

function durationWords({ started_at, finished_at }: Run, now: number): string {
  if (started_at === null) return finished_at === null ? 'not started' : 'never started'
  const end = finished_at === null ? now : Date.parse(finished_at)
  return wholeDuration(Math.max(0, end - Date.parse(started_at))) + (finished_at === null ? ' so far' : '')
}

function tokenWords({ input_tokens, output_tokens }: TokenUsage): string {
  return `${input_tokens.toLocaleString()} in, ${output_tokens.toLocaleString()} out`
}
