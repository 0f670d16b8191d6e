import type { RunStore, Store, StoredRun } from '../../src/store/store.ts'
import type { Service } from '../service-process.ts'
import { FLOWS, type FlowName } from './flows.ts'
import type { Accepted } from './sender.ts'

/** What is found when everything has come to rest. */
export interface Count {
  readonly completed: number
  /** Runs that were accepted while the service died before it could say so. */
  readonly unanswered: number
  /** Ids of answered requests without a run. */
  readonly lost: readonly string[]
  readonly wrong: readonly string[]
}

const READERS = 16

interface SeenRun {
  readonly status: string
  readonly steps: readonly { readonly node: string; readonly status: string }[]
}

/** Reads every accepted run as its sender would, through the API. */
export async function countThroughApi(service: Service, accepted: readonly Accepted[]): Promise<string[]> {
  const wrong: string[] = []
  const queue = accepted.values()
  const reader = async () => {
    for (const one of queue) {
      const fault = await faultThroughApi(service, one)
      if (fault !== undefined) wrong.push(`run ${one.runId} ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  for (const status of ['queued', 'in progress', 'failed', 'cancelled']) {
    const path = `/api/v1/runs?status=${encodeURIComponent(status)}&limit=5`
    const { runs } = (await service.get(path)) as { runs: { id: string }[] }
    for (const { id } of runs) wrong.push(`run ${id} is ${status}`)
  }
  return wrong
}

async function faultThroughApi(service: Service, { runId, flow }: Accepted): Promise<string | undefined> {
  const run = await service.get(`/api/v1/runs/${runId}`).catch((error: Error) => error)
  if (run instanceof Error) return `cannot be read: ${run.message}`
  const { status, steps } = run as SeenRun
  if (status !== 'succeeded') return `is ${status}`
  const expected = FLOWS[flow].nodes.map((node) => `${node} succeeded`).join(', ')
  const seen = steps.map((step) => `${step.node} ${step.status}`).join(', ')
  return seen === expected ? undefined : `has the steps ${seen}`
}

/** Counts what only the store can tell: inputs byte for byte, messages, and runs that nobody was told of. */
export async function countInStore(store: Store, accepted: readonly Accepted[]): Promise<Count> {
  const byId = new Map(accepted.map((one) => [one.runId, one]))
  const printed = await messagesByRun(store)
  const found = { completed: 0, unanswered: 0, wrong: [] as string[] }
  if (byId.size !== accepted.length) found.wrong.push('two requests were answered with one run')
  for await (const run of allRuns(store.runs)) {
    const request = byId.get(run.id)
    if (request === undefined) found.unanswered++
    byId.delete(run.id)
    const faults = faultsOf(run, request, printed.get(run.id) ?? [])
    if (faults.length === 0) found.completed++
    else found.wrong.push(`run ${run.id}: ${faults.join('; ')}`)
  }
  return { ...found, lost: [...byId.keys()] }
}

function faultsOf(run: StoredRun, request: Accepted | undefined, printed: readonly string[]): string[] {
  const faults: string[] = []
  if (run.outcome?.status !== 'succeeded') faults.push(`it is ${run.outcome?.status ?? 'not finished'}`)
  if (printed.length !== 1) faults.push(`it printed ${printed.length} messages, not 1`)
  if (request === undefined) return faults
  if (!request.bytes.equals(run.input)) faults.push('its input is not what was sent')
  if (printed[0] !== request.text) faults.push(`it printed ${printed[0]}, not ${request.text}`)
  return faults
}

async function* allRuns(runs: RunStore): AsyncGenerator<StoredRun> {
  let before: number | null | undefined
  while (before !== null) {
    const page = await runs.list({ limit: 500, ...(before === undefined ? {} : { before }) })
    for (const { id } of page.runs) yield (await runs.get(id))!
    before = page.next
  }
}

async function messagesByRun(store: Store): Promise<Map<string, string[]>> {
  const printed = new Map<string, string[]>()
  const names = Object.keys(FLOWS) as FlowName[]
  const slugs = names.map((name) => FLOWS[name].slug)
  for (const flow of await store.flows.live()) {
    if (!slugs.includes(flow.slug)) continue
    const { messages } = await store.messages.list({ flowId: flow.id, limit: 10_000_000 })
    for (const { runId, text } of messages) {
      printed.set(runId, [...(printed.get(runId) ?? []), text])
    }
  }
  return printed
}
