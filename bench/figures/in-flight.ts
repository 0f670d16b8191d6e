import { setTimeout as wait } from 'node:timers/promises'
import { createCallFlow } from '../call-flow.ts'
import { load, loadToTheEnd, webhookOf } from '../load.ts'
import { type Service, startService } from '../service-process.ts'
import { startScript } from '../start-script.ts'
import { median } from '../statistics.ts'
import { until } from '../until.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const MEMORY: Target = { name: '10,000 runs in flight: memory above idle', unit: 'MB', must: { atMost: 250 } }
const ACCEPT: Target = {
  name: '10,000 runs in flight: accept rate ÷ with none',
  unit: '',
  must: { atLeast: 0.8 }
}

const FLOW = 'bench-waits'
const RUNS = 10_000
/** As long as such a call takes in the world; all of them wait at least for so long. */
const CALL_MS = 5_000
const MEGABYTE = 1024 * 1024

/** Runs that wait for others must cost next to nothing, and must not keep anybody from being accepted. */
export const inFlightGroup: FigureGroup = {
  key: 'in-flight',
  about: '10,000 runs that wait for their upstream: memory, and accepting meanwhile',
  targets: [MEMORY, ACCEPT],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const upstream = await startScript(
      workspace,
      ['bench/holding-upstream.ts'],
      /The upstream is ready at (\S+)\n/
    )
    const service = await startService(workspace, {
      home: workspace.folder('bench-in-flight'),
      env: { MILLRACE_EGRESS_ALLOW: new URL(upstream.url).host }
    })
    await createCallFlow(service, FLOW, upstream.url)
    await wait(1_000)
    const idle = (await service.memory()).resident
    await fill(service, upstream.url)
    const filled = (await service.memory()).resident
    await release(service, upstream.url)
    await loadToTheEnd(service, { seconds: Math.min(options.seconds, 3) })
    const ratios: number[] = []
    const rates: string[] = []
    let most = 0
    for (let round = 1; round <= Math.min(options.rounds, 3); round++) {
      const alone = (await loadToTheEnd(service, { seconds: options.seconds })).perSecond
      await fill(service, upstream.url)
      const since = performance.now()
      const among = (await load({ url: webhookOf(service), seconds: options.seconds })).perSecond
      most = Math.max(most, (await service.memory()).resident)
      await wait(Math.max(0, CALL_MS - (performance.now() - since)))
      await release(service, upstream.url)
      ratios.push(among / alone)
      rates.push(`${Math.round(among).toLocaleString('en')} ÷ ${Math.round(alone).toLocaleString('en')}`)
      say(`in-flight: round ${round}: ${rates.at(-1)} requests/s`)
    }
    await service.stop()
    return [
      {
        ...MEMORY,
        measured: (filled - idle) / MEGABYTE,
        detail: `${inMegabytes(filled)} − ${inMegabytes(idle)} MB resident; ${inMegabytes(most)} MB at the most while others load it as well`
      },
      { ...ACCEPT, measured: median(ratios), detail: `${rates.join(', ')} requests/s` }
    ]
  }
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / MEGABYTE)
}

/** Sends so many webhooks, and waits until all their runs wait for the upstream. */
async function fill(service: Service, upstream: string): Promise<void> {
  await load({ url: webhookOf(service, FLOW), amount: RUNS })
  await until(async () => (await heldBy(upstream)) === RUNS, {
    withinMs: 60_000,
    otherwise: 'the runs did not reach the upstream'
  })
}

async function release(service: Service, upstream: string): Promise<void> {
  await fetch(`${upstream}/release`)
  await until(async () => (await service.counts()).backlog === 0, {
    withinMs: 120_000,
    otherwise: 'the runs did not end'
  })
}

async function heldBy(upstream: string): Promise<number> {
  return Number(await (await fetch(`${upstream}/held`)).text())
}
