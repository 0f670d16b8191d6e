import { setTimeout as wait } from 'node:timers/promises'
import { startBare } from '../bare-process.ts'
import { cpuOf } from '../cpu-time.ts'
import { type Loaded, load, webhookOf } from '../load.ts'
import { type MeasuredDatabase, startDatabase } from '../postgres-database.ts'
import { quietRounds } from '../quiet.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const ACCEPT: Target = {
  name: 'PostgreSQL: durable accept, requests/s ÷ bare Fastify',
  unit: '',
  must: { atLeast: 0.8 }
}
const RUN: Target = {
  name: 'PostgreSQL: accept + 3-step run + result stored, 1 web and 1 worker, runs/s ÷ bare Fastify',
  unit: '',
  must: { atLeast: 0.3 }
}

const ACCEPT_CPU: Target = {
  name: 'PostgreSQL: CPU per accepted request, with the database ÷ CPU of bare Fastify per request',
  unit: ''
}
const RUN_CPU: Target = {
  name: 'PostgreSQL: CPU per completed run, with the database ÷ CPU of bare Fastify per request',
  unit: ''
}

/** Until then the compiler is at work beside what is measured: a fifth of the time of a request. */
const WARM_UP_SECONDS = 10
const LOOK_EVERY_MS = 20
const END_WITHIN_MS = 300_000

interface Stage {
  readonly bench: Bench
  readonly bare: { readonly url: string; readonly pid: number }
  readonly database: MeasuredDatabase
  readonly web: Service
}

interface Round {
  readonly bare: Loaded
  readonly answered: number
  readonly perSecond: number
  /** Microseconds of CPU per request or run. */
  readonly cpu: { readonly processes: number; readonly database: number; readonly bare: number }
}

/** Accepting, then accepting and running, on a PostgreSQL that syncs, against a server that does neither. */
export const postgresGroup: FigureGroup = {
  key: 'postgres',
  about: 'accepting and running on PostgreSQL against a bare Fastify, in alternating rounds',
  targets: [ACCEPT, ACCEPT_CPU, RUN, RUN_CPU],
  async measure(bench: Bench): Promise<Figure[]> {
    const { workspace } = bench
    const database = await startDatabase()
    try {
      const start = (role: 'web' | 'worker') =>
        startService(workspace, {
          home: workspace.folder('bench-postgres'),
          env: { DATABASE_URL: database.url, MILLRACE_ROLE: role }
        })
      const stage = { bench, database, bare: await startBare(workspace), web: await start('web') }
      const accept = await accepting(stage)
      const worker = await start('worker')
      const run = await running(stage, worker)
      await Promise.all([stage.web.stop(), worker.stop()])
      return [...accept, ...run]
    } finally {
      await database.stop()
    }
  }
}

/** Without any worker. The store is emptied before each round, so that each finds the same. */
async function accepting(stage: Stage): Promise<Figure[]> {
  const { database, web } = stage
  const rounds = await playRounds(stage, 'accept', [web.child.pid!], async (seconds) => {
    await database.empty()
    return load({ url: webhookOf(web), seconds })
  })
  return [figureOf(ACCEPT, rounds, 'requests/s'), cpuFigureOf(ACCEPT_CPU, rounds)]
}

async function running(stage: Stage, worker: Service): Promise<Figure[]> {
  const { database, web } = stage
  await untilEnded(database)
  const pids = [web.child.pid!, worker.child.pid!]
  const rounds = await playRounds(stage, 'run', pids, async (seconds) => {
    const before = await database.endedRuns()
    const since = performance.now()
    const { answered } = await load({ url: webhookOf(web), seconds })
    await untilEnded(database)
    const perSecond = answered / ((performance.now() - since) / 1000)
    const ended = (await database.endedRuns()) - before
    // The load ends with requests under way: they are accepted too, and nobody waits for their answers.
    if (ended < answered) throw new Error(`${answered} runs were accepted, ${ended} have ended`)
    return { answered, perSecond }
  })
  return [figureOf(RUN, rounds, 'runs/s'), cpuFigureOf(RUN_CPU, rounds)]
}

async function playRounds(
  { bench, bare, database }: Stage,
  name: string,
  pids: readonly number[],
  play: (seconds: number) => Promise<Pick<Loaded, 'answered' | 'perSecond'>>
): Promise<Round[]> {
  const { options, say } = bench
  const measured = async (seconds: number) => {
    const before = { processes: sum(pids.map(cpuOf)), database: database.cpu() }
    const { answered, perSecond } = await play(seconds)
    const cpu = {
      processes: (sum(pids.map(cpuOf)) - before.processes) / answered,
      database: (database.cpu() - before.database) / answered
    }
    return { answered, perSecond, cpu }
  }
  const reference = async (seconds: number) => {
    const before = cpuOf(bare.pid)
    const loaded = await load({ url: bare.url, seconds })
    return { ...loaded, cpu: (cpuOf(bare.pid) - before) / loaded.answered }
  }
  const round = async (seconds: number, isBareFirst: boolean): Promise<Round> => {
    const first = isBareFirst ? await reference(seconds) : undefined
    const ours = await measured(seconds)
    const bareRound = first ?? (await reference(seconds))
    return { bare: bareRound, ...ours, cpu: { ...ours.cpu, bare: bareRound.cpu } }
  }
  say(`postgres, ${name}: warming up`)
  await round(WARM_UP_SECONDS, true)
  return quietRounds({
    rounds: options.rounds,
    pids: [bare.pid, ...pids],
    trees: [database.postmaster],
    play: (index) => round(options.seconds, index % 2 === 0),
    onRound: (played, index, isQuiet) =>
      say(
        `postgres, ${name}: round ${index + 1}: ${told(played)}${isQuiet ? '' : '; other work was going on'}`
      )
  })
}

async function untilEnded(database: MeasuredDatabase): Promise<void> {
  const deadline = performance.now() + END_WITHIN_MS
  while (await database.hasOpenRuns()) {
    if (performance.now() > deadline) throw new Error('accepted runs do not end')
    await wait(LOOK_EVERY_MS)
  }
}

function figureOf(target: Target, rounds: readonly Round[], unit: string): Figure {
  const of = (value: (round: Round) => number) => median(rounds.map(value))
  const [ours, bare] = [of((round) => round.perSecond), of((round) => round.bare.perSecond)]
  return {
    ...target,
    measured: of((round) => round.perSecond / round.bare.perSecond),
    detail: `${whole(ours)} ${unit} ÷ ${whole(bare)} requests/s`
  }
}

function cpuFigureOf(target: Target, rounds: readonly Round[]): Figure {
  const of = (value: (cpu: Round['cpu']) => number) => median(rounds.map(({ cpu }) => value(cpu)))
  const [ours, database, bare] = [
    of((cpu) => cpu.processes),
    of((cpu) => cpu.database),
    of((cpu) => cpu.bare)
  ]
  return {
    ...target,
    measured: of((cpu) => (cpu.processes + cpu.database) / cpu.bare),
    detail: `${whole(ours)} of ours + ${whole(database)} of the database ÷ ${whole(bare)} µs`
  }
}

function told({ bare, perSecond, cpu }: Round): string {
  return (
    `bare ${whole(bare.perSecond)}/s, PostgreSQL ${whole(perSecond)}/s, ` +
    `CPU ${whole(cpu.processes)} + ${whole(cpu.database)} µs each`
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
