import type { WaitKind } from '../../../../src/flows/step/step-wait.ts'
import type { LiveEvent } from '../../api/live-event.ts'
import type { RunStatus, RunSummary } from '../../api/shapes.ts'

/** A run as the Playground shows it: while it goes on, and when it has come to a bad end. */
export interface Turn {
  readonly runId: string
  /** Null until it is known: not every event tells it. */
  readonly session: string | null
  readonly status: RunStatus
  readonly createdAt: string | null
  readonly finishedAt: string | null
  readonly error: { readonly node: string | null; readonly message: string } | null
  /** What one of its steps waits for. */
  readonly waiting: {
    readonly node: string
    /** Null where time does not end it. */
    readonly until: string | null
    /** Of the attempt that failed, where it waits for the next one. */
    readonly message: string
    /** Absent where that is its next attempt. */
    readonly for?: WaitKind
  } | null
}

export type Turns = ReadonlyMap<string, Turn>

const OPEN: readonly RunStatus[] = ['queued', 'in progress', 'waiting']

/** Enough to tell what goes wrong; all of them are in the list of runs. */
const MOST_TURNS = 200

function isOpen(turn: Turn): boolean {
  return OPEN.includes(turn.status)
}

export function turnOf(run: RunSummary): Turn {
  const { id, session, status, created_at, finished_at, error } = run
  return {
    runId: id,
    session,
    status,
    createdAt: created_at,
    finishedAt: finished_at,
    error: error === null ? null : { node: error.node, message: error.message },
    waiting: null
  }
}

/** The turns after what happened to their flow. */
export function withTurnEvents(turns: Turns, events: readonly LiveEvent[], flow: string): Turns {
  const happened = events.filter(({ data }) => data.flow_id === flow && data.run_id !== undefined)
  if (happened.length === 0) return turns
  const after = new Map(turns)
  for (const event of happened) {
    const runId = String(event.data.run_id)
    const turn = turnAfter(after.get(runId) ?? unknownTurn(runId), event)
    if (turn !== undefined) after.set(runId, turn)
  }
  return bounded(after)
}

function turnAfter(turn: Turn, { name, data }: LiveEvent): Turn | undefined {
  switch (name) {
    case 'run.queued':
      return { ...turn, ...facts(data), status: 'queued', finishedAt: null, error: null, waiting: null }
    // Also told where other branches go on: what one of its steps waits for, it waits for still.
    case 'run.started':
      return { ...turn, status: 'in progress' }
    case 'run.waiting':
      return { ...turn, status: 'waiting' }
    case 'step.waiting':
      return { ...turn, waiting: waitingOf(data) }
    case 'step.started':
      return endOfWait(turn, data.node)
    case 'step.settled':
      return endOfWait(turn, (data.step as { readonly node: string } | undefined)?.node)
    case 'run.ended':
      return {
        ...turn,
        status: data.status as RunStatus,
        finishedAt: String(data.finished_at),
        error: data.error as Turn['error'],
        waiting: null
      }
    default:
      return undefined
  }
}

function endOfWait(turn: Turn, node: unknown): Turn | undefined {
  return turn.waiting !== null && turn.waiting.node === node ? { ...turn, waiting: null } : undefined
}

/** A run that is taken up again is told without what is known of it already. */
function facts({ session, created_at }: LiveEvent['data']): Partial<Turn> {
  return {
    ...(typeof session === 'string' ? { session } : {}),
    ...(typeof created_at === 'string' ? { createdAt: created_at } : {})
  }
}

function waitingOf({ node, until, error, for: kind }: LiveEvent['data']): Turn['waiting'] {
  const { message = '' } = (error ?? {}) as { message?: string }
  return {
    node: String(node),
    until: typeof until === 'string' ? until : null,
    message,
    ...(typeof kind === 'string' && { for: kind as WaitKind })
  }
}

function unknownTurn(runId: string): Turn {
  return {
    runId,
    session: null,
    status: 'queued',
    createdAt: null,
    finishedAt: null,
    error: null,
    waiting: null
  }
}

/** Those that ended well go first: they have said what they had to say. */
function bounded(turns: Map<string, Turn>): Turns {
  const surplus = turns.size - MOST_TURNS
  if (surplus <= 0) return turns
  const value = (turn: Turn) => (isOpen(turn) ? 2 : turn.status === 'succeeded' ? 0 : 1)
  const leastFirst = [...turns.values()].sort((a, b) => value(a) - value(b))
  for (const { runId } of leastFirst.slice(0, surplus)) turns.delete(runId)
  return turns
}

export interface SessionTurns {
  /** Oldest first. */
  readonly open: readonly Turn[]
  readonly failed: readonly Turn[]
}

/** What was received goes before what was fetched: it is newer, and nothing of it is missed. */
export function turnsOfSession(
  fetched: readonly RunSummary[],
  received: Turns,
  session: string
): SessionTurns {
  const known = new Map(fetched.map((run) => [run.id, turnOf(run)]))
  for (const [id, turn] of received) {
    const session = turn.session ?? known.get(id)?.session
    known.set(id, session === turn.session || session === undefined ? turn : { ...turn, session })
  }
  const own = [...known.values()].filter((turn) => turn.session === session).sort(byId)
  return {
    open: own.filter(isOpen),
    failed: own.filter((turn) => !isOpen(turn) && turn.status !== 'succeeded')
  }
}

/** Ids of runs begin with the time at which they were accepted. */
function byId(a: Turn, b: Turn): number {
  return a.runId < b.runId ? -1 : 1
}
