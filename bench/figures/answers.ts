import { createAnswerFlow, createLateFlow } from '../answer-flow.ts'
import { startBare } from '../bare-process.ts'
import { type Loaded, load, loadToTheEnd, webhookOf } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { API_KEY, type Service, startService } from '../service-process.ts'
import { startScript } from '../start-script.ts'
import { median } from '../statistics.ts'
import { until } from '../until.ts'
import type { Workspace } from '../workspace.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { settledMemory } from './memory.ts'

const RATE: Target = {
  name: 'answer through a flow of three nodes, requests/s ÷ bare Fastify that computes the same',
  unit: '',
  must: { atLeast: 0.6 }
}
const P50: Target = { name: 'answer through a flow of three nodes, p50', unit: 'ms', must: { atMost: 5 } }
const MEMORY: Target = {
  name: '10,000 callers that wait for an answer: memory above idle',
  unit: 'MB',
  must: { atMost: 60 }
}
const ACCEPT: Target = {
  name: '10,000 callers that wait for an answer: accept rate ÷ with none',
  unit: '',
  must: { atLeast: 0.9 }
}

const ANSWERS = 'bench-answers'
const LATE = 'bench-late'
const CALLERS = 10_000
/** On a machine that others keep busy too. */
const ALL_CALL_WITHIN_MS = 120_000
/** So few that none waits for the others: what is measured is the way of one answer, two syncs included. */
const FEW = 4
const MEGABYTE = 1024 * 1024

interface Round {
  readonly answers: Loaded
  readonly bare: Loaded
  readonly few: Loaded
}

/** Answers of flows: how fast they are, and what callers cost that wait for one. */
export const answersGroup: FigureGroup = {
  key: 'answers',
  about: 'answers of flows against a bare Fastify that computes the same, and 10,000 callers that wait',
  targets: [RATE, P50, MEMORY, ACCEPT],
  async measure(bench: Bench): Promise<Figure[]> {
    const { workspace } = bench
    const service = await startService(workspace, { home: workspace.folder('bench-answers') })
    await createAnswerFlow(service, ANSWERS)
    await createLateFlow(service, LATE)
    const waiting = await measureWaiting(service, bench)
    const answers = await measureAnswers(service, bench)
    await service.stop()
    return [...answers, ...waiting]
  }
}

async function measureAnswers(service: Service, { workspace, options, say }: Bench): Promise<Figure[]> {
  const bare = await startBare(workspace, 'bench/bare-answer.ts')
  const url = webhookOf(service, ANSWERS)
  const play = async (seconds: number, isBareFirst: boolean): Promise<Round> => {
    const first = await load({ url: isBareFirst ? bare.url : url, seconds })
    const second = await load({ url: isBareFirst ? url : bare.url, seconds })
    const few = await load({ url, seconds: Math.min(seconds, 2), connections: FEW })
    return isBareFirst ? { bare: first, answers: second, few } : { answers: first, bare: second, few }
  }
  await play(Math.min(options.seconds, 3), true)
  const rounds = await quietRounds({
    rounds: options.rounds,
    pids: [bare.pid, service.child.pid!],
    play: (index) => play(options.seconds, index % 2 === 0),
    onRound: ({ answers, bare, few }, index, isQuiet) => {
      const rates = `${whole(answers.perSecond)} and ${whole(bare.perSecond)} answers/s`
      const disturbed = isQuiet ? '' : '; other work was going on'
      say(`answers: round ${index + 1}: ${rates}, p50 ${few.p50Ms.toFixed(1)} ms${disturbed}`)
    }
  })
  const of = (value: (round: Round) => number) => median(rounds.map(value))
  return [
    {
      ...RATE,
      measured: of((round) => round.answers.perSecond / round.bare.perSecond),
      detail: `${whole(of((round) => round.answers.perSecond))} ÷ ${whole(of((round) => round.bare.perSecond))} requests/s`
    },
    {
      ...P50,
      measured: of((round) => round.few.p50Ms),
      detail: `${FEW} connections; with 100, ${of((round) => round.answers.p50Ms).toFixed(1)} ms, of bare Fastify ${of((round) => round.bare.p50Ms).toFixed(1)} ms`
    }
  ]
}

async function measureWaiting(service: Service, { workspace, options, say }: Bench): Promise<Figure[]> {
  const idle = await settledMemory(service)
  await loadToTheEnd(service, { seconds: Math.min(options.seconds, 3) })
  const ratios: number[] = []
  const rates: string[] = []
  let above = 0
  for (let round = 1; round <= Math.min(options.rounds, 3); round++) {
    const alone = (await loadToTheEnd(service, { seconds: options.seconds })).perSecond
    const before = await settledMemory(service)
    const callers = await holdCallers(workspace, webhookOf(service, LATE))
    await allParked(service)
    above = Math.max(above, (await settledMemory(service)) - before)
    const among = (await loadToTheEnd(service, { seconds: options.seconds })).perSecond
    callers.kill()
    ratios.push(among / alone)
    rates.push(`${whole(among)} ÷ ${whole(alone)}`)
    say(`answers: round ${round}: ${rates.at(-1)} requests/s, ${(above / MEGABYTE).toFixed(0)} MB`)
  }
  return [
    {
      ...MEMORY,
      measured: above / MEGABYTE,
      detail: `resident, the most of all rounds; ${(idle / MEGABYTE).toFixed(0)} MB after the start`
    },
    { ...ACCEPT, measured: median(ratios), detail: `${rates.join(', ')} requests/s` }
  ]
}

/** In a process of their own. Resolves when all of them wait. */
async function holdCallers(workspace: Workspace, url: string): Promise<{ kill(): void }> {
  const args = ['bench/waiting-callers.ts', url, String(CALLERS), API_KEY]
  const { child } = await startScript(workspace, args, /(\d+) callers wait\n/, ALL_CALL_WITHIN_MS)
  return { kill: () => void child.kill() }
}

/** Until then some of their runs are in memory, which is not what waiting costs. */
async function allParked(service: Service): Promise<void> {
  await until(async () => (await service.counts()).backlog === 0, {
    withinMs: ALL_CALL_WITHIN_MS,
    otherwise: 'the runs that are called do not come to their wait'
  })
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
