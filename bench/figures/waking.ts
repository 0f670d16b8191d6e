import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDelayFlow } from '../delay-flow.ts'
import { load, loadToTheEnd, webhookOf } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import { until } from '../until.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench } from './group.ts'
import { EMBEDDED, type Store } from './store.ts'

const ALL: Target = {
  name: 'waking 10,000 runs due at one moment: until all have ended',
  unit: 'ms',
  must: { atMost: 5_000 }
}
const STALL: Target = {
  name: 'waking 10,000 runs due at one moment: longest stall of the event loop',
  unit: 'ms',
  must: { atMost: 50 }
}
export const WAKING_TARGETS: readonly Target[] = [ALL, STALL]

const RUNS = 10_000
const PLUGIN = fileURLToPath(new URL('../stall-plugin.ts', import.meta.url))
/** By then all of them have been accepted and wait. */
const DUE_IN_MS = 15_000
const MOST_ROUNDS = 3

interface Round {
  readonly allMs: number
  readonly stallMs: number
}

/** Delays until one and the same moment, in rounds that others disturbed least. The service itself says for how long its event loop stood still since then. */
export async function measureWaking(
  { workspace, options, say }: Bench,
  { env, trees }: Store = EMBEDDED
): Promise<Figure[]> {
  const home = workspace.folder('bench-waking')
  const service = await startService(workspace, { home, env: { ...env, MILLRACE_PLUGINS: PLUGIN } })
  await loadToTheEnd(service, { seconds: Math.min(options.seconds, 3) })
  const rounds = await quietRounds({
    rounds: Math.min(options.rounds, MOST_ROUNDS),
    pids: [service.child.pid!],
    trees,
    play: (round) => playRound(service, `bench-due-${round}`),
    onRound: ({ allMs, stallMs }, index, isQuiet) => {
      const told = `woken within ${Math.round(allMs)} ms, longest stall ${stallMs.toFixed(1)} ms`
      say(`waits: round ${index + 1}: ${told}${isQuiet ? '' : '; other work was going on'}`)
    }
  })
  await service.stop()
  const each = (of: (round: Round) => number) => rounds.map((round) => Math.round(of(round))).join(', ')
  return [
    {
      ...ALL,
      measured: median(rounds.map(({ allMs }) => allMs)),
      detail: `median of ${each(({ allMs }) => allMs)} ms from that moment to the last stored end`
    },
    {
      ...STALL,
      measured: median(rounds.map(({ stallMs }) => stallMs)),
      detail: `median of ${each(({ stallMs }) => stallMs)} ms, by monitorEventLoopDelay in the process`
    }
  ]
}

async function playRound(service: Service, flow: string): Promise<Round> {
  const { succeeded } = await service.counts()
  const dueAt = Date.now() + DUE_IN_MS
  await createDelayFlow(service, flow, { until: new Date(dueAt).toISOString() })
  await load({ url: webhookOf(service, flow), amount: RUNS })
  await until(async () => (await service.counts()).backlog === 0, {
    withinMs: dueAt - Date.now(),
    otherwise: 'the runs did not come to their wait in time'
  })
  await wait(dueAt - Date.now() - 100)
  await longestStall(service)
  await until(async () => (await service.counts()).succeeded >= succeeded + RUNS, {
    withinMs: 60_000,
    everyMs: 50,
    otherwise: 'the runs that were due did not end'
  })
  return { allMs: Date.now() - dueAt, stallMs: await longestStall(service) }
}

/** Since it was last asked. */
async function longestStall(service: Service): Promise<number> {
  return ((await service.get('/bench/stall')) as { ms: number }).ms
}
