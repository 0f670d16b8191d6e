import { createDelayFlow } from '../delay-flow.ts'
import { load, webhookOf } from '../load.ts'
import { type ServiceOptions, startService } from '../service-process.ts'
import { until } from '../until.ts'
import type { Workspace } from '../workspace.ts'
import { compareServices } from './compare-services.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench } from './group.ts'
import { settledMemory } from './memory.ts'
import { EMBEDDED, type Store } from './store.ts'

const MEMORY: Target = { name: '100,000 runs that wait: memory above idle', unit: 'MB', must: { atMost: 30 } }
const START: Target = {
  name: '100,000 runs that wait: start of the service',
  unit: 'ms',
  must: { atMost: 2_000 }
}
const ACCEPT: Target = {
  name: '100,000 runs that wait: accept rate ÷ with none',
  unit: '',
  must: { atLeast: 0.95 }
}
export const WAITING_TARGETS: readonly Target[] = [MEMORY, START, ACCEPT]

const RUNS = 100_000
const FLOW = 'bench-parked'
const PARK_WITHIN_MS = 180_000
const MEGABYTE = 1024 * 1024

/** A run that waits is in the store alone. Both services are started anew, so that one has nothing but those that wait. */
export async function measureWaitingRuns(
  bench: Bench,
  stores: Record<'waiting' | 'none', Store> = { waiting: EMBEDDED, none: EMBEDDED }
): Promise<Figure[]> {
  const { workspace, say } = bench
  const waiting = { home: workspace.folder('bench-waiting'), env: stores.waiting.env }
  const none = { home: workspace.folder('bench-none-waiting'), env: stores.none.env }
  await makeStore(workspace, none, 0)
  const since = performance.now()
  await makeStore(workspace, waiting, RUNS)
  say(`waits: 100,000 runs wait after ${Math.round((performance.now() - since) / 1000)} s`)
  const reference = await startService(workspace, none)
  const challenger = await startService(workspace, waiting)
  const [idle, above] = await Promise.all([settledMemory(reference), settledMemory(challenger)])
  const names = ['100,000 wait', 'none waits'] as const
  const accept = await compareServices(
    { target: ACCEPT, key: 'waits', names, challenger, reference, trees: stores.waiting.trees },
    bench
  )
  return [
    {
      ...MEMORY,
      measured: (above - idle) / MEGABYTE,
      detail: `${inMegabytes(above)} − ${inMegabytes(idle)} MB resident, both right after a start, median of readings one a second`
    },
    {
      ...START,
      measured: challenger.readyAfterMs,
      detail: `from spawning scripts/start.mjs to its ready line; ${Math.round(reference.readyAfterMs)} ms where none waits`
    },
    accept
  ]
}

async function makeStore(workspace: Workspace, options: ServiceOptions, runs: number): Promise<void> {
  const service = await startService(workspace, options)
  await createDelayFlow(service, FLOW, { for: '30d' })
  if (runs > 0) await load({ url: webhookOf(service, FLOW), amount: runs })
  await until(async () => (await service.counts()).backlog === 0, {
    withinMs: PARK_WITHIN_MS,
    otherwise: 'the runs did not come to their wait'
  })
  const { succeeded, failed } = await service.counts()
  if (succeeded + failed > 0) throw new Error(`${succeeded + failed} runs ended that were to wait`)
  await service.stop()
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / MEGABYTE)
}
