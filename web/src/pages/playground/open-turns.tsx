import { Link } from 'react-router'
import type { WaitKind } from '../../../../src/flows/step/step-wait.ts'
import type { Message } from '../../api/messages.ts'
import type { Flow } from '../../api/shapes.ts'
import { RelativeTime } from '../../design/relative-time.tsx'
import { StateBadge } from '../../design/state-badge.tsx'
import { LiveCallList } from './live-calls.tsx'
import classes from './message-view.module.css'
import { StopRun } from './stop-run.tsx'
import { StreamedText } from './streamed-text.tsx'
import type { LiveCall, LiveCalls } from './tool-news.ts'
import type { Turn } from './turns.ts'

interface OpenTurnsProps {
  readonly turns: readonly Turn[]
  readonly messages: readonly Message[]
  readonly sent: ReadonlyMap<string, string>
  readonly flow: Flow
  readonly calls: LiveCalls
}

/** The runs that go on: those that were started here with what was typed, the others as one line. */
export function OpenTurns({ turns, messages, sent, flow, calls }: OpenTurnsProps) {
  const own = turns.filter(({ runId }) => sent.has(runId))
  const others = turns.filter(({ runId }) => !sent.has(runId))
  const printed = new Set(messages.filter(({ sender }) => sender === 'User').map(({ run_id }) => run_id))
  return (
    <>
      {own.map((turn) => (
        <OwnTurn
          key={turn.runId}
          turn={turn}
          flow={flow}
          calls={calls.get(turn.runId) ?? NONE}
          typed={printed.has(turn.runId) ? undefined : sent.get(turn.runId)}
        />
      ))}
      {others.length === 1 && (
        <OwnTurn
          turn={others[0]!}
          flow={flow}
          calls={calls.get(others[0]!.runId) ?? NONE}
          typed={undefined}
        />
      )}
      {others.length > 1 && <ManyLine turns={others} flow={flow.id} />}
    </>
  )
}

const NONE: readonly LiveCall[] = []

interface OwnTurnProps {
  readonly turn: Turn
  readonly flow: Flow
  readonly calls: readonly LiveCall[]
  readonly typed: string | undefined
}

function OwnTurn({ turn, flow, calls, typed }: OwnTurnProps) {
  return (
    <>
      {typed !== undefined && (
        <article className={classes.message} data-user aria-label="Sent message">
          <div className={classes.verbatim}>{typed}</div>
        </article>
      )}
      <LiveCallList calls={calls} />
      <StreamedText flow={flow} runId={turn.runId} />
      <TurnLine turn={turn} />
    </>
  )
}

function TurnLine({ turn: { runId, status, waiting } }: { readonly turn: Turn }) {
  return (
    <div className={classes.open}>
      <StateBadge state={waiting === null ? status : 'waiting'} />
      {waiting !== null && <WaitWords waiting={waiting} />}
      <StopRun runId={runId} />
      <Link to={`/runs/${runId}`} className={classes.run}>
        Open the run
      </Link>
    </div>
  )
}

const AWAITED: Readonly<Record<Exclude<WaitKind, 'time'>, string>> = {
  call: 'It waits for a call.',
  answer: 'It waits for an answer.',
  children: 'It waits for the runs that it started.'
}

function WaitWords({ waiting }: { readonly waiting: NonNullable<Turn['waiting']> }) {
  const { message, until, for: kind } = waiting
  const time = until === null ? null : <RelativeTime at={until} />
  if (kind === undefined || kind === 'time')
    return (
      <span>
        {kind === 'time' ? 'It goes on' : `${message} Tried again`} {time}.
      </span>
    )
  return (
    <span>
      {AWAITED[kind]} {time !== null && <>It expires {time}.</>}
    </span>
  )
}

function ManyLine({ turns, flow }: { readonly turns: readonly Turn[]; readonly flow: string }) {
  const allWait = turns.every(({ status }) => status === 'waiting')
  return (
    <div className={classes.open}>
      <StateBadge state={allWait ? 'waiting' : 'in progress'} />
      <span>{turns.length.toLocaleString()} runs</span>
      <Link to={`/flows/${flow}/runs`} className={classes.run}>
        Open the list
      </Link>
    </div>
  )
}
