import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuOf } from '../cpu-time.ts'
import { load, webhookOf } from '../load.ts'
import { type MeasuredDatabase, startDatabase } from '../postgres-database.ts'
import { type Service, startService } from '../service-process.ts'
import type { Workspace } from '../workspace.ts'
import type { Costs } from './cluster-capacity.ts'

export interface MeasuredCosts extends Costs {
  readonly measuredOn: string
  /** What an ended run takes in the database's files, indexes included. */
  readonly bytes: number
}

const WARM_UP_SECONDS = 10
const LOAD_SECONDS = 8
const IDLE_SECONDS = 10
const DRAIN_WITHIN_MS = 300_000
const LEAST_RUNS = 1_000

/**
 * One web process, one worker and a PostgreSQL that syncs, on this machine, one after the other: what accepting costs
 * is measured while no worker is at work, what a run costs while nothing is accepted. CPU time is counted, not the
 * time on the wall, so other work on the machine disturbs little.
 */
export async function measureCosts(
  workspace: Workspace,
  say: (line: string) => void
): Promise<MeasuredCosts> {
  if (process.platform !== 'linux') throw new Error('CPU times are read from /proc, which only Linux has')
  const database = await startDatabase()
  try {
    const start = (role: 'web' | 'worker') =>
      startService(workspace, {
        home: workspace.folder('bench-costs'),
        env: { DATABASE_URL: database.url, MILLRACE_ROLE: role }
      })
    const [web, worker] = [await start('web'), await start('worker')]
    say('costs: warming up')
    await load({ url: webhookOf(web), seconds: WARM_UP_SECONDS })
    await untilEnded(database)
    // Not ended: what is compiled stays compiled.
    worker.child.kill('SIGSTOP')
    await database.empty()
    say('costs: accepting')
    const accept = await measureAccept(database, web)
    say('costs: running')
    const run = await measureRuns(database, worker)
    const bytes = await bytesPerRun(database)
    say('costs: idle')
    const idle = await measureIdle(database)
    await Promise.all([web.stop(), worker.stop()])
    return { measuredOn: machine(database.version), accept, run, idle, bytes }
  } finally {
    await database.stop()
  }
}

async function measureAccept(database: MeasuredDatabase, web: Service): Promise<Costs['accept']> {
  const before = { web: cpuOf(web.child.pid!), database: database.cpu() }
  const { answered } = await load({ url: webhookOf(web), seconds: LOAD_SECONDS })
  return {
    web: rounded((cpuOf(web.child.pid!) - before.web) / answered),
    database: rounded((database.cpu() - before.database) / answered)
  }
}

/** Lets the worker go on. */
async function measureRuns(database: MeasuredDatabase, worker: Service): Promise<Costs['run']> {
  const before = { worker: cpuOf(worker.child.pid!), database: database.cpu() }
  worker.child.kill('SIGCONT')
  await untilEnded(database)
  const cpu = {
    worker: cpuOf(worker.child.pid!) - before.worker,
    database: database.cpu() - before.database
  }
  const runs = await database.endedRuns()
  if (runs < LEAST_RUNS) throw new Error(`only ${runs} runs were left to be measured`)
  return { worker: rounded(cpu.worker / runs), database: rounded(cpu.database / runs) }
}

async function bytesPerRun(database: MeasuredDatabase): Promise<number> {
  const [row] = await database.sql<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(c)) AS bytes
     FROM unnest(ARRAY['millrace.runs', 'millrace.outcomes', 'millrace.messages']::regclass[]) AS c`
  )
  return Math.round(Number(row!.bytes) / (await database.endedRuns()))
}

async function untilEnded(database: MeasuredDatabase): Promise<void> {
  const deadline = performance.now() + DRAIN_WITHIN_MS
  while (await database.hasOpenRuns()) {
    if (performance.now() > deadline) throw new Error('the runs do not end')
    await wait(100)
  }
}

/** Of two processes that have nothing to do. */
async function measureIdle(database: MeasuredDatabase): Promise<Costs['idle']> {
  const before = database.cpu()
  await wait(IDLE_SECONDS * 1_000)
  return { database: rounded((database.cpu() - before) / IDLE_SECONDS / 2) }
}

function rounded(micros: number): number {
  return Math.round(micros * 10) / 10
}

function machine(postgres: string): string {
  const cores = cpus()
  return `Node ${process.versions.node}, PostgreSQL ${postgres}, ${process.arch}, ${cores.length} × ${cores[0]?.model ?? 'CPU'}`
}
