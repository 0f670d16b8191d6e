import { prefill } from '../prefill.ts'
import { startService } from '../service-process.ts'
import type { Workspace } from '../workspace.ts'
import { compareServices } from './compare-services.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const RUNS = 1_000_000
const MILLION: Target = {
  name: 'accept with 1,000,000 runs stored ÷ with none',
  unit: '',
  must: { atLeast: 0.9 }
}

/** Whether accepting stays as fast when the store is full. */
export const millionGroup: FigureGroup = {
  key: 'million',
  about: 'accepting with 1,000,000 runs in the store against an empty one (takes minutes)',
  targets: [MILLION],
  async measure(bench: Bench): Promise<Figure[]> {
    const { workspace, say } = bench
    const home = workspace.folder('bench-million')
    await fill(workspace, home, say)
    const challenger = await startService(workspace, { home })
    const reference = await startService(workspace, { home: workspace.folder('bench-empty') })
    say(`million: the full store was ready after ${Math.round(challenger.readyAfterMs)} ms, warming up`)
    const names = ['full', 'empty'] as const
    return [await compareServices({ target: MILLION, key: 'million', names, challenger, reference }, bench)]
  }
}

/** The service itself makes the store and the example flow; the runs are written to the store directly. */
async function fill(workspace: Workspace, home: string, say: Bench['say']): Promise<void> {
  await (await startService(workspace, { home })).stop()
  const since = performance.now()
  const onProgress = (done: number) => {
    const seconds = Math.round((performance.now() - since) / 1000)
    say(`million: ${done.toLocaleString('en')} of ${RUNS.toLocaleString('en')} runs stored, ${seconds} s`)
  }
  await prefill({ folder: home, runs: RUNS, onProgress })
}
