import { parseArgs } from 'node:util'
import { planKills } from './drill/kill-plan.ts'
import { type DrillReport, runDrill } from './drill/run-drill.ts'
import { seededRandom } from './drill/seeded-random.ts'
import { wholeNumber } from './options.ts'
import { textTable } from './table.ts'
import { openWorkspace } from './workspace.ts'

/** About what a life takes in; the ledger syncs every line, so runs are slower than requests. */
const ACCEPTED_PER_SECOND = 250
const SHOWN_VIOLATIONS = 20

const HELP = `npm run drill -- [options]

The crash drill: kills the service with SIGKILL while requests arrive, while it starts and while it takes up what
was left, on one store; then lets it finish and counts. Nothing that was answered with 202 may be lost, and no
step that reaches outside may be repeated, but for the one that a kill cut off.

  --rounds <n>     kills (20)
  --seconds <n>    the longest life (3)
  --seed <n>       plans the same kills again (by the clock)
  --help           print this

Exit code 1 on any violation, 2 when an option is wrong.`

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '3' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  return {
    rounds: wholeNumber('--rounds', values.rounds, 1, 1_000),
    seconds: wholeNumber('--seconds', values.seconds, 1, 60),
    seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
    help: values.help
  }
}

async function main(args: readonly string[]): Promise<number> {
  let options: ReturnType<typeof readOptions>
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
  const { seed, seconds } = options
  const perLife = ACCEPTED_PER_SECOND * seconds
  const kills = planKills({ ...options, perLife }, seededRandom(seed))
  const workspace = openWorkspace()
  try {
    console.error(`crash drill: ${kills.length} kills, seed ${seed}`)
    const say = (line: string) => console.error(line)
    const report = await runDrill({ workspace, kills, seed, seconds, perLife, say })
    console.log(print(report, seed))
    return report.violations.length === 0 ? 0 : 1
  } finally {
    workspace.close()
  }
}

function print(report: DrillReport, seed: number): string {
  const number = (value: number) => Math.round(value).toLocaleString('en')
  const rows = [
    ['Crash drill', `seed ${seed}`],
    ['kills', number(report.kills)],
    ['accepted (202)', number(report.accepted)],
    ['accepted, answer lost in a kill', number(report.unanswered)],
    ['completed', number(report.completed)],
    ['lost', number(report.lost)],
    ['steps cut off in flight by a kill', number(report.cutOff)],
    ['repeated in-flight steps', number(report.repeated)],
    ['  of those, effect done but not yet checkpointed', number(report.repeatedAfterEffect)],
    ['illegal repeats', number(report.illegalRepeats)],
    ['slowest recovery: start after a kill to first 202', `${number(report.slowestRecoveryMs)} ms`],
    ['last drain', `${number(report.drainMs)} ms`],
    ['violations', number(report.violations.length)]
  ]
  const shown = report.violations.slice(0, SHOWN_VIOLATIONS).map((what) => `  ${what}`)
  const more = report.violations.length - shown.length
  return ['', textTable(rows, [1]), ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}

process.exitCode = await main(process.argv.slice(2))
