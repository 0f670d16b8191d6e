import { timeText } from '../../runs/present/time-text.ts'
import { readRequest, requestPath } from '../../runs/record/run-start.ts'
import type { RunStore } from '../../store/store.ts'

/** Requests that are looked at: each is read with its payload, so they are few. */
const MOST_REQUESTS = 20

interface RecentCaller {
  /** The address that was called, without its query. */
  readonly path: string
  readonly address: string
  readonly agent: string | null
  calls: number
  /** Of the newest of them. */
  readonly last_called_at: string
}

/** Who sent the last requests that started runs of a flow, newest first, and which of its addresses they called. */
export async function recentCallers(
  flowId: string,
  store: Pick<RunStore, 'list' | 'get'>
): Promise<RecentCaller[]> {
  const { runs } = await store.list({ flowIds: [flowId], isTest: false, limit: MOST_REQUESTS })
  const callers = new Map<string, RecentCaller>()
  for (const { id } of runs) {
    const run = await store.get(id)
    // A replay has the request of the run that it repeats: nobody called.
    if (run === undefined || run.request === null || run.replayOf !== null) continue
    const { address, headers } = readRequest(run.request)
    const path = requestPath(run.request)
    const agent = headers['user-agent'] ?? null
    const name = JSON.stringify([path, address, agent])
    const known = callers.get(name)
    if (known === undefined) {
      callers.set(name, { path, address, agent, calls: 1, last_called_at: timeText(run.createdAt) })
    } else known.calls++
  }
  return [...callers.values()]
}
