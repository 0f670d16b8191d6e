import { tmpdir } from 'node:os'
import { bareInserts } from '../bare-inserts.ts'
import { createInsertFlow } from '../insert-flow.ts'
import { type LoadedService, loadToTheEnd } from '../load.ts'
import { startDatabase } from '../postgres-database.ts'
import { quietRounds } from '../quiet.ts'
import { type Service, startService } from '../service-process.ts'
import { median } from '../statistics.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'

const ROWS: Target = {
  name: 'webhook → SQL insert → stored, rows/s ÷ bare driver with one commit each',
  unit: '',
  must: { atLeast: 0.5 }
}

const ROWS_ON_TEN: Target = {
  name: 'the same ÷ bare driver on as many sessions as steps have (10)',
  unit: ''
}

const FLOW = 'bench-insert'

interface Round {
  /** A program that inserts row after row. */
  readonly bare: number
  readonly bareOnTen: number
  readonly service: LoadedService
}

/** A row for each run, all of it stored, against the driver alone that writes the same rows to the same server. */
export const sqlGroup: FigureGroup = {
  key: 'sql',
  about: 'webhook → SQL insert into PostgreSQL → stored, against the driver alone, one commit for each row',
  targets: [ROWS, ROWS_ON_TEN],
  async measure({ workspace, options, say }: Bench): Promise<Figure[]> {
    // On the same disk as the service's own store: both sync every commit, or the comparison would be worth nothing.
    const database = await startDatabase(tmpdir())
    try {
      await database.sql('create table bench_orders (id bigint, customer text, total numeric)')
      const service = await startService(workspace, { home: workspace.folder('bench-sql') })
      await createInsertFlow(service, FLOW, new URL(database.url))
      say('sql: warming up')
      await playRound(database.url, service, Math.min(options.seconds, 3), true)
      const rounds = await quietRounds({
        rounds: options.rounds,
        pids: [service.child.pid!],
        // Each session of the server is a process below it.
        trees: [database.postmaster],
        play: (index) => playRound(database.url, service, options.seconds, index % 2 === 0),
        onRound: (round, index, isQuiet) =>
          say(
            `sql: round ${index + 1}: bare ${whole(round.bare)}/s, on ten sessions ${whole(round.bareOnTen)}/s, runs ${whole(runsPerSecond(round))}/s` +
              (isQuiet ? '' : '; other work was going on')
          )
      })
      await service.stop()
      return figuresOf(rounds)
    } finally {
      await database.stop()
    }
  }
}

async function playRound(
  url: string,
  service: Service,
  seconds: number,
  isBareFirst: boolean
): Promise<Round> {
  const playBare = async () => {
    const bare = await bareInserts({ url, seconds: seconds / 2, sessions: 1 })
    return { bare, bareOnTen: await bareInserts({ url, seconds: seconds / 2, sessions: 10 }) }
  }
  const playService = () => loadToTheEnd(service, { seconds, flow: FLOW })
  if (isBareFirst) return { ...(await playBare()), service: await playService() }
  const loaded = await playService()
  return { ...(await playBare()), service: loaded }
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const runs = whole(median(rounds.map(runsPerSecond)))
  const ratioTo = (bare: (round: Round) => number) => ({
    measured: median(rounds.map((round) => runsPerSecond(round) / bare(round))),
    detail: `${runs} ÷ ${whole(median(rounds.map(bare)))} rows/s, from the first request to the last result`
  })
  return [
    { ...ROWS, ...ratioTo(({ bare }) => bare) },
    { ...ROWS_ON_TEN, ...ratioTo(({ bareOnTen }) => bareOnTen) }
  ]
}

function runsPerSecond({ service }: Round): number {
  return service.answered / service.secondsToTheEnd
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
