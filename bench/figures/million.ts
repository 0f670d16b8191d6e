import { loadToTheEnd } from '../load.ts'
import { prefill } from '../prefill.ts'
import { quietRounds } from '../quiet.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Workspace } from '../workspace.ts'
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
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const home = workspace.folder('bench-million')
    await fill(workspace, home, say)
    const full = await startService(workspace, { home })
    const empty = await startService(workspace, { home: workspace.folder('bench-empty') })
    say(`million: the full store was ready after ${Math.round(full.readyAfterMs)} ms, warming up`)
    await playRound({ full, empty, seconds: Math.min(options.seconds, 3), isFullFirst: true })
    const rounds = await quietRounds({
      rounds: options.rounds,
      pids: [full.child.pid!, empty.child.pid!],
      play: (index) => playRound({ full, empty, seconds: options.seconds, isFullFirst: index % 2 === 0 }),
      onRound: (round, index, isQuiet) =>
        say(
          `million: round ${index + 1}: full ${Math.round(round.full)}/s, empty ${Math.round(round.empty)}/s${isQuiet ? '' : '; other work was going on'}`
        )
    })
    await Promise.all([full.stop(), empty.stop()])
    const of = (key: 'full' | 'empty') => Math.round(median(rounds.map((round) => round[key])))
    const detail = `${of('full').toLocaleString('en')} ÷ ${of('empty').toLocaleString('en')} requests/s, runs performed meanwhile`
    return [{ ...MILLION, measured: median(rounds.map((round) => round.full / round.empty)), detail }]
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

async function playRound(at: { full: Service; empty: Service; seconds: number; isFullFirst: boolean }) {
  const order = at.isFullFirst ? (['full', 'empty'] as const) : (['empty', 'full'] as const)
  const round = { full: 0, empty: 0 }
  for (const which of order) {
    round[which] = (await loadToTheEnd(at[which], { seconds: at.seconds })).perSecond
  }
  return round
}
