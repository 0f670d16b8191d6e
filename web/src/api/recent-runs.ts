import type { LiveEvent } from './live-event.ts'
import type { ListedFlow, RecentRun, RunStatus } from './shapes.ts'

/** How many of a flow's last runs its strip shows. */
export const RECENT_RUNS = 20

/** The list of flows with what happened to their runs. Flows that nothing happened to stay the same objects. */
export function withRunEvents(flows: readonly ListedFlow[], events: readonly LiveEvent[]): ListedFlow[] {
  const byFlow = Map.groupBy(events, (event) => event.data.flow_id)
  return flows.map((flow) => {
    const happened = byFlow.get(flow.id)
    const before = flow.recent_runs ?? []
    const after = happened?.reduce(withRunEvent, before) ?? before
    return after === before ? flow : { ...flow, recent_runs: after.slice(0, RECENT_RUNS) }
  })
}

/** Events that tell how a run stands. */
const RUN_EVENTS: readonly LiveEvent['name'][] = ['run.queued', 'run.started', 'run.waiting', 'run.ended']

function withRunEvent(runs: readonly RecentRun[], { name, data }: LiveEvent): readonly RecentRun[] {
  if (!RUN_EVENTS.includes(name)) return runs
  const id = String(data.run_id)
  const status = data.status as RunStatus
  const known = runs.find((run) => run.id === id)
  if (known === undefined) {
    // A run that was accepted before the strip's oldest one has no place in it; nor has a test, or an item of a For each.
    if (typeof data.created_at !== 'string' || data.test === true || data.parent !== undefined) return runs
    return [{ id, status, created_at: data.created_at, duration_ms: null }, ...runs]
  }
  const duration_ms = name === 'run.ended' ? durationOf(data) : null
  return runs.map((run) => (run === known ? { ...run, status, duration_ms } : run))
}

function durationOf({ started_at, finished_at }: LiveEvent['data']): number | null {
  if (typeof started_at !== 'string' || typeof finished_at !== 'string') return null
  return Date.parse(finished_at) - Date.parse(started_at)
}
