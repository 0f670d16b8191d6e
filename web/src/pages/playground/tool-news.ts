import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { LiveEvent } from '../../api/live-event.ts'

/** A call of a tool, as it is told while it is made. */
export interface LiveCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonValue
  readonly status: 'in progress' | 'succeeded' | 'failed'
}

/** By run, in the order in which they began. */
export type LiveCalls = ReadonlyMap<string, readonly LiveCall[]>

/** Enough to show what goes on; all of it is in the run. */
const MOST_RUNS = 50
const MOST_CALLS = 500

/** What agents call, after what happened to their flow. What a run called that begins anew is told again. */
export function withToolEvents(calls: LiveCalls, events: readonly LiveEvent[], flow: string): LiveCalls {
  const news = events.filter(({ name, data }) => name === 'step.tool' && data.flow_id === flow)
  if (news.length === 0) return calls
  const after = new Map(calls)
  for (const { data } of news) {
    const runId = String(data.run_id)
    after.set(runId, withCall(after.get(runId) ?? [], data))
  }
  for (const runId of [...after.keys()].slice(0, -MOST_RUNS)) after.delete(runId)
  return after
}

function withCall(calls: readonly LiveCall[], data: LiveEvent['data']): readonly LiveCall[] {
  const id = String(data.id)
  const known = calls.find((call) => call.id === id)
  const call: LiveCall = {
    id,
    name: String(data.name),
    arguments: (data.arguments ?? known?.arguments ?? {}) as JsonValue,
    status: statusOf(data)
  }
  if (known !== undefined) return calls.map((each) => (each.id === id ? call : each))
  return [...calls, call].slice(-MOST_CALLS)
}

function statusOf(data: LiveEvent['data']): LiveCall['status'] {
  if (data.error !== undefined) return 'failed'
  return data.result === undefined ? 'in progress' : 'succeeded'
}
