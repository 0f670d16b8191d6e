import { startBare } from '../bare-process.ts'
import { cpuOf } from '../cpu-time.ts'
import { type Loaded, type LoadedService, load, loadToTheEnd } from '../load.ts'
import { quietRounds } from '../quiet.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const ACCEPT: Target = {
  name: 'durable accept, requests/s ÷ bare Fastify',
  unit: '',
  must: { atLeast: 1 }
}
const RUN: Target = {
  name: 'accept + 3-step run + result stored, runs/s ÷ bare Fastify',
  unit: '',
  must: { atLeast: 0.7 }
}
const P99: Target = { name: 'accept p99 ÷ bare Fastify p99', unit: '', must: { atMost: 1.3 } }
/** Of all figures the one that other work on the machine disturbs least. */
const CPU: Target = {
  name: 'CPU of the service per completed run ÷ CPU of bare Fastify per request',
  unit: '',
  must: { atMost: 1 }
}

const DISTURBED = '; other work was going on'

interface Costed {
  /** Microseconds of CPU for each request, or for each run from its request to its stored result. */
  readonly cpu: number
}

interface Round {
  readonly bare: Loaded & Costed
  readonly service: LoadedService & Costed
}

interface Stage {
  readonly bare: { readonly url: string; readonly pid: number }
  readonly service: Service
}

/** Accepting durably and running to the stored result, against a server that does neither. */
export const acceptGroup: FigureGroup = {
  key: 'accept',
  about: 'accepting and running against a bare Fastify, in alternating rounds',
  targets: [ACCEPT, RUN, P99, CPU],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    const bare = await startBare(workspace)
    const service = await startService(workspace, { home: workspace.folder('bench-accept') })
    say('accept: warming up')
    await playRound({ bare, service }, Math.min(options.seconds, 3), true)
    const rounds = await quietRounds({
      rounds: options.rounds,
      pids: [bare.pid, service.child.pid!],
      // Whoever goes first finds the machine in another state; so they take turns.
      play: (index) => playRound({ bare, service }, options.seconds, index % 2 === 0),
      onRound: (round, index, isQuiet) =>
        say(`accept: round ${index + 1}: ${describe(round)}${isQuiet ? '' : DISTURBED}`)
    })
    await service.stop()
    return figuresOf(rounds)
  }
}

async function playRound(stage: Stage, seconds: number, isBareFirst: boolean): Promise<Round> {
  const loadBare = () => costing(stage.bare.pid, () => load({ url: stage.bare.url, seconds }))
  const loadService = () => costing(stage.service.child.pid!, () => loadToTheEnd(stage.service, { seconds }))
  if (isBareFirst) {
    const bare = await loadBare()
    return { bare, service: await loadService() }
  }
  const service = await loadService()
  return { bare: await loadBare(), service }
}

async function costing<T extends Loaded>(pid: number, play: () => Promise<T>): Promise<T & Costed> {
  const before = cpuOf(pid)
  const loaded = await play()
  return { ...loaded, cpu: (cpuOf(pid) - before) / loaded.answered }
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const bare = median(rounds.map((round) => round.bare.perSecond))
  const accepted = median(rounds.map((round) => round.service.perSecond))
  const runs = median(rounds.map(({ service }) => runsPerSecond(service)))
  const bareP99 = median(rounds.map((round) => round.bare.p99Ms))
  const p99 = median(rounds.map((round) => round.service.p99Ms))
  const cpu = median(rounds.map((round) => round.service.cpu))
  const bareCpu = median(rounds.map((round) => round.bare.cpu))
  const ratio = (of: (round: Round) => number) => median(rounds.map(of))
  return [
    {
      ...ACCEPT,
      measured: ratio((round) => round.service.perSecond / round.bare.perSecond),
      detail: `${whole(accepted)} ÷ ${whole(bare)} requests/s`
    },
    {
      ...RUN,
      measured: ratio((round) => runsPerSecond(round.service) / round.bare.perSecond),
      detail: `${whole(runs)} runs/s ÷ ${whole(bare)} requests/s, from the first request to the last result`
    },
    {
      ...P99,
      measured: ratio((round) => round.service.p99Ms / round.bare.p99Ms),
      detail: `${p99.toFixed(1)} ÷ ${bareP99.toFixed(1)} ms`
    },
    {
      ...CPU,
      measured: ratio((round) => round.service.cpu / round.bare.cpu),
      detail: `${whole(cpu)} ÷ ${whole(bareCpu)} µs`
    }
  ]
}

function runsPerSecond(service: LoadedService): number {
  return service.answered / service.secondsToTheEnd
}

function describe({ bare, service }: Round): string {
  const drain = service.secondsToTheEnd - service.seconds
  return (
    `bare ${whole(bare.perSecond)}/s, accept ${whole(service.perSecond)}/s, ` +
    `run ${whole(runsPerSecond(service))}/s (${drain.toFixed(1)} s after the load), ` +
    `p99 ${service.p99Ms.toFixed(1)} and ${bare.p99Ms.toFixed(1)} ms, ` +
    `CPU ${whole(service.cpu)} and ${whole(bare.cpu)} µs each`
  )
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
