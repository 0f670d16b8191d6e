import { parseArgs } from 'node:util'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { planBlows } from './drill/blow-plan.ts'
import type { DrillReport } from './drill/drill-report.ts'
import { planKills } from './drill/kill-plan.ts'
import { type ClusterReport, runClusterDrill } from './drill/run-cluster-drill.ts'
import { runDrill } from './drill/run-drill.ts'
import { seededRandom } from './drill/seeded-random.ts'
import { wholeNumber } from './options.ts'
import { textTable } from './table.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/** About what a life takes in; the ledger syncs every line, so runs are slower than requests. */
const ACCEPTED_PER_SECOND = 250
const SHOWN_VIOLATIONS = 20

const HELP = `npm run drill -- [options]

The crash drill: kills the service with SIGKILL while requests arrive, while it starts and while it takes up what
was left, on one store; then lets it finish and counts. Nothing that was answered with 202 may be lost, and no
step that reaches outside may be repeated, but for the one that a kill cut off. Some of the runs branch, repeat over
a list, wait for a time, a call and a person, and run another flow; some fail, raise one alert each, and are retried in the
end; some are cancelled, with all below them; and a clock starts one every second, none twice.

  --rounds <n>     kills (20)
  --seconds <n>    the longest life (3)
  --seed <n>       plans the same kills again (by the clock)
  --postgres       instead: two web processes and two workers on one PostgreSQL, which is started for it. Any of
                   them, or whoever has the triggers, is killed every few seconds, and the database is restarted twice
  --seconds <n>    with --postgres: how long (60)
  --help           print this

Exit code 1 on any violation, 2 when an option is wrong.`

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      postgres: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  const [seconds, most] = values.postgres ? ['60', 3_600] : ['3', 60]
  return {
    rounds: wholeNumber('--rounds', values.rounds, 1, 1_000),
    seconds: wholeNumber('--seconds', values.seconds ?? seconds, 1, most),
    seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
    postgres: values.postgres,
    help: values.help
  }
}

type Options = ReturnType<typeof readOptions>

async function main(args: readonly string[]): Promise<number> {
  let options: Options
  try {
    options = readOptions(args)
  } catch (error) {
    console.error((error as Error).message)
    return 2
  }
  if (options.help) {
    console.log(HELP)
    return 0
  }
  const workspace = openWorkspace()
  try {
    const drill = options.postgres ? drillCluster : drillOne
    const report = await drill(workspace, options)
    console.log(print(report, options.seed))
    return report.violations.length === 0 ? 0 : 1
  } finally {
    workspace.close()
  }
}

function drillOne(workspace: Workspace, options: Options): Promise<DrillReport> {
  const { seed, seconds } = options
  const perLife = ACCEPTED_PER_SECOND * seconds
  const kills = planKills({ ...options, perLife }, seededRandom(seed))
  say(`crash drill: ${kills.length} kills, seed ${seed}`)
  return runDrill({ workspace, kills, seed, seconds, perLife, say })
}

async function drillCluster(workspace: Workspace, { seed, seconds }: Options): Promise<ClusterReport> {
  const blows = planBlows(seconds, seededRandom(seed))
  // With everything that a database does to keep what it has committed.
  const server = await startPostgresServer({ settings: [] })
  try {
    say(`crash drill on PostgreSQL ${server.version}: ${blows.length} blows in ${seconds} s, seed ${seed}`)
    const databaseUrl = server.url('postgres')
    const pace = ACCEPTED_PER_SECOND
    return await runClusterDrill({ workspace, server, databaseUrl, blows, seconds, pace, seed, say })
  } finally {
    await server.stop()
  }
}

function say(line: string): void {
  console.error(line)
}

function print(report: DrillReport | ClusterReport, seed: number): string {
  const number = (value: number) => Math.round(value).toLocaleString('en')
  const rows = [
    ['Crash drill', `seed ${seed}`],
    ['kills', number(report.kills)],
    ...('restarts' in report
      ? [
          ['restarts of the database', number(report.restarts)],
          ['answered 503 with Retry-After', number(report.turnedAway)],
          ['longest time in which nobody had the triggers', `${number(report.longestTakeoverMs)} ms`]
        ]
      : []),
    ['accepted (202)', number(report.accepted)],
    ['accepted, answer lost in a kill', number(report.unanswered)],
    ['completed', number(report.completed)],
    ['lost', number(report.lost)],
    ['steps cut off in flight by a kill', number(report.cutOff)],
    ['repeated in-flight steps', number(report.repeated)],
    ['  of those, effect done but not yet checkpointed', number(report.repeatedAfterEffect)],
    ['illegal repeats', number(report.illegalRepeats)],
    ['runs below others: items and sub-flows', number(report.children)],
    ['ticks of the clock', number(report.ticks)],
    ['  of those, late', number(report.lateTicks)],
    ['doubled ticks', number(report.doubledTicks)],
    ['times that came while somebody had the clock', number(report.dueTicks)],
    ['  of those, with a run', number(report.dueTicksRan)],
    ['runs that failed, and were retried', number(report.failed)],
    ['alerts that they raised', number(report.alerts)],
    [
      'restarts' in report
        ? 'longest time in which nothing was accepted'
        : 'slowest recovery: start after a kill to first 202',
      `${number(report.slowestRecoveryMs)} ms`
    ],
    ['last drain', `${number(report.drainMs)} ms`],
    ['violations', number(report.violations.length)]
  ]
  const shown = report.violations.slice(0, SHOWN_VIOLATIONS).map((what) => `  ${what}`)
  const more = report.violations.length - shown.length
  return ['', textTable(rows, [1]), ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

process.exitCode = await main(process.argv.slice(2))
