import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgresServer } from '../../test/support/postgres-server.ts'
import { load, webhookOf } from '../load.ts'
import { type Service, startService } from '../service-process.ts'
import type { Workspace } from '../workspace.ts'
import { cpuOf, cpuOfTree, parentOf } from './cpu-time.ts'
import type { Costs } from './simulate-cluster.ts'

export interface MeasuredCosts extends Costs {
  readonly measuredOn: string
}

interface Measurement {
  readonly sql: <Row>(text: string) => Promise<Row[]>
  readonly database: () => number
  readonly web: Service
}

const LOAD_SECONDS = 8
const IDLE_SECONDS = 10
const DRAIN_WITHIN_MS = 300_000

/**
 * One web process, one worker and a PostgreSQL that syncs, on this machine, one after the other: what accepting costs
 * is measured while no worker is there, what a run costs while nothing is accepted. CPU time is counted, not the time
 * on the wall, so other work on the machine disturbs little.
 */
export async function measureCosts(
  workspace: Workspace,
  say: (line: string) => void
): Promise<MeasuredCosts> {
  if (process.platform !== 'linux') throw new Error('CPU times are read from /proc, which only Linux has')
  const server = await startPostgresServer({ settings: ['max_wal_size=4GB', 'shared_buffers=256MB'] })
  const client = new Client({ connectionString: server.url('postgres') })
  try {
    await client.connect()
    const sql = async <Row>(text: string) => (await client.query(text)).rows as Row[]
    const [backend] = await sql<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const postmaster = parentOf(backend!.pid)
    const start = (role: 'web' | 'worker') =>
      startService(workspace, {
        home: workspace.folder('bench-costs'),
        env: { DATABASE_URL: server.url('postgres'), MILLRACE_ROLE: role }
      })
    const measurement = { sql, database: () => cpuOfTree(postmaster), web: await start('web') }
    say('costs: warming up')
    await load({ url: webhookOf(measurement.web), seconds: 2 })
    say('costs: accepting')
    const accept = await measureAccept(measurement)
    say('costs: running')
    const worker = await start('worker')
    const run = await measureRuns(measurement, worker)
    say('costs: idle')
    const idle = await measureIdle(measurement)
    await Promise.all([measurement.web.stop(), worker.stop()])
    return { measuredOn: machine(server.version), accept, run, idle }
  } finally {
    await client.end().catch(() => {})
    await server.stop()
  }
}

async function measureAccept({ web, database }: Measurement): Promise<Costs['accept']> {
  const before = { web: cpuOf(web.child.pid!), database: database() }
  const { answered } = await load({ url: webhookOf(web), seconds: LOAD_SECONDS })
  return {
    web: rounded((cpuOf(web.child.pid!) - before.web) / answered),
    database: rounded((database() - before.database) / answered)
  }
}

/** From when the worker says that it is ready: what it did before that is not counted. */
async function measureRuns({ sql, database }: Measurement, worker: Service): Promise<Costs['run']> {
  const ended = async () =>
    Number((await sql<{ n: string }>('SELECT count(*) AS n FROM millrace.outcomes'))[0]!.n)
  const open = async () =>
    Number(
      (await sql<{ n: string }>("SELECT count(*) AS n FROM millrace_queue.job WHERE name LIKE 'flow/%'"))[0]!
        .n
    )
  const before = { ended: await ended(), worker: cpuOf(worker.child.pid!), database: database() }
  const deadline = performance.now() + DRAIN_WITHIN_MS
  while ((await open()) > 0) {
    if (performance.now() > deadline) throw new Error('the runs do not end')
    await wait(500)
  }
  const runs = (await ended()) - before.ended
  if (runs < 1_000) throw new Error(`only ${runs} runs were left to be measured`)
  return {
    worker: rounded((cpuOf(worker.child.pid!) - before.worker) / runs),
    database: rounded((database() - before.database) / runs)
  }
}

/** Of two processes that have nothing to do. */
async function measureIdle({ database }: Measurement): Promise<Costs['idle']> {
  const before = database()
  await wait(IDLE_SECONDS * 1_000)
  return { database: rounded((database() - before) / IDLE_SECONDS / 2) }
}

function rounded(micros: number): number {
  return Math.round(micros * 10) / 10
}

function machine(postgres: string): string {
  const cores = cpus()
  return `Node ${process.versions.node}, PostgreSQL ${postgres}, ${process.arch}, ${cores.length} × ${cores[0]?.model ?? 'CPU'}`
}
