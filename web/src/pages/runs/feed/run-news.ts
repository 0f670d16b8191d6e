import type { LiveEvent, LiveEventData } from '../../../api/live-event.ts'
import type { RunSummary } from '../../../api/shapes.ts'

/** What a batch of events says about one run. */
export interface RunNews {
  readonly id: string
  /** The whole run, where it was accepted in this batch. */
  readonly run?: RunSummary
  readonly changes: Partial<RunSummary>
}

/** What events say about runs, run by run, in the order in which they were first named. */
export function newsOf(events: readonly LiveEvent[]): RunNews[] {
  const news = new Map<string, RunNews>()
  for (const event of events) {
    const changes = changesIn(event)
    if (changes === undefined) continue
    const id = String(event.data.run_id)
    const before = news.get(id)
    const run = before?.run ?? acceptedRun(event)
    news.set(id, {
      id,
      changes: { ...before?.changes, ...changes },
      ...(run === undefined ? {} : { run: { ...run, ...changes } })
    })
  }
  return [...news.values()]
}

function changesIn({ name, data }: LiveEvent): Partial<RunSummary> | undefined {
  switch (name) {
    case 'run.queued':
      return { status: 'queued', finished_at: null, error: null }
    case 'run.started':
      return {
        status: 'in progress',
        started_at: textOrNull(data.started_at),
        finished_at: null,
        error: null
      }
    case 'run.waiting':
      return { status: 'waiting', finished_at: null, error: null }
    case 'run.ended':
      return {
        status: data.status as RunSummary['status'],
        started_at: textOrNull(data.started_at),
        finished_at: textOrNull(data.finished_at),
        error: (data.error ?? null) as RunSummary['error']
      }
    default:
      return undefined
  }
}

/** A run that is opened again is queued too, but does not say what it is: it was there before. */
function acceptedRun({ name, data }: LiveEvent): RunSummary | undefined {
  if (name !== 'run.queued' || typeof data.created_at !== 'string') return undefined
  // What another run started is listed there.
  if (data.parent != null) return undefined
  return {
    id: String(data.run_id),
    flow_id: data.flow_id,
    flow_version: Number(data.flow_version),
    trigger: String(data.trigger),
    session: sessionOf(data),
    status: 'queued',
    created_at: data.created_at,
    started_at: null,
    finished_at: null,
    replay_of: textOrNull(data.replay_of),
    parent: null,
    test: data.test === true,
    error: null,
    // Events hold no payloads: the list tells.
    summary: ''
  }
}

function sessionOf({ session }: LiveEventData): string {
  return typeof session === 'string' ? session : 'default'
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
