import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Costs,
  clusterCapacity,
  databaseLimit,
  type Machines,
  workerCounts
} from './capacity/cluster-capacity.ts'
import { type MeasuredCosts, measureCosts } from './capacity/measure-costs.ts'
import { wholeNumber } from './options.ts'
import { textTable } from './table.ts'
import { openWorkspace } from './workspace.ts'

const COSTS = join(import.meta.dirname, 'capacity', 'measured-costs.json')
/** The rest is for vacuum, checkpoints and peaks. */
const LOAD = 0.7

const CAPACITY_HELP = `npm run bench -- --capacity [options]

What 1 to 64 workers do on one PostgreSQL, from the measured cost of a run; and where the database becomes the limit.

  --measure              measure the costs on this machine first, and print them; else bench/capacity/measured-costs.json
  --database-cores <n>   cores of the database's machine (8)`

/** Returns the exit code. */
export async function capacity(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      capacity: { type: 'boolean' },
      measure: { type: 'boolean', default: false },
      'database-cores': { type: 'string', default: '8' },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  if (values.help) {
    console.log(CAPACITY_HELP)
    return 0
  }
  const databaseCores = wholeNumber('--database-cores', values['database-cores'], 1, 1024)
  const costs = values.measure ? await measured() : (JSON.parse(readFileSync(COSTS, 'utf8')) as MeasuredCosts)
  if (values.measure) console.log(`${JSON.stringify(costs, null, 2)}\n`)
  if (!isWhole(costs)) {
    console.error('The costs were not measured yet. Run: npm run bench -- --capacity --measure')
    return 1
  }
  console.log(report(costs, { databaseCores, load: LOAD }))
  return 0
}

async function measured(): Promise<MeasuredCosts> {
  const workspace = openWorkspace()
  try {
    return await measureCosts(workspace, (line) => console.error(line))
  } finally {
    workspace.close()
  }
}

function isWhole({ accept, run }: Costs): boolean {
  return [accept.web, accept.database, run.worker, run.database].every((cost) => cost > 0)
}

export function report(costs: MeasuredCosts, machines: Machines): string {
  const { accept, run, idle } = costs
  const rows = workerCounts.map((workers) => {
    const { webs, runsPerSecond, databaseCoresBusy, limit } = clusterCapacity(costs, machines, workers)
    return [String(workers), String(webs), whole(runsPerSecond), databaseCoresBusy.toFixed(1), limit]
  })
  const table = textTable(
    [['Workers', 'Web', 'Runs/s', 'Database cores busy', 'Limit'], ...rows],
    [0, 1, 2, 3]
  )
  const point = databaseLimit(costs, machines)
  const where =
    point === undefined
      ? 'With 64 workers the database is not the limit yet.'
      : `The database becomes the limit at ${point.workers} workers: ${whole(point.runsPerSecond)} runs/s.`
  return `${table}

${where} Cores are planned to ${machines.load * 100} %, the database has ${machines.databaseCores}.
Costs in µs of CPU: accept ${accept.web} web + ${accept.database} database, run ${run.worker} worker + ${run.database} database,
idle ${idle.database} database per process and second. ${costs.measuredOn}.
CPU only: a disk that cannot sync as often, or a network, may be the limit before that.`
}

function whole(number: number): string {
  return Math.floor(number).toLocaleString('en')
}
