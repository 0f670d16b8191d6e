import { Client } from 'pg'
import { type PostgresServer, startPostgresServer } from '../test/support/postgres-server.ts'
import { cpuOfTree, parentOf } from './cpu-time.ts'

/** A PostgreSQL server for a measurement, as an operator would set it up: it syncs every commit. */
export interface MeasuredDatabase {
  readonly url: string
  readonly version: string
  /** The process above all of the server's. */
  readonly postmaster: number
  /** Microseconds of CPU that the server has used so far. */
  cpu(): number
  sql<Row>(text: string): Promise<Row[]>
  /** Runs that have not ended. */
  hasOpenRuns(): Promise<boolean>
  endedRuns(): Promise<number>
  /** Forgets all runs, and has nothing left to write: what follows finds the same as what was before. */
  empty(): Promise<void>
  stop(): Promise<void>
}

/** Its own defaults are for very small machines. Nothing of this changes when a commit is durable. */
const SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=15min'
]

/** With its data in the folder, where it matters what syncing takes. */
export async function startDatabase(parent?: string): Promise<MeasuredDatabase> {
  const server: PostgresServer = await startPostgresServer({
    settings: SETTINGS,
    ...(parent === undefined ? {} : { parent })
  })
  const client = new Client({ connectionString: server.url('postgres') })
  const sql = async <Row>(text: string) => (await client.query(text)).rows as Row[]
  try {
    await client.connect()
    const [backend] = await sql<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    const postmaster = process.platform === 'linux' ? parentOf(backend!.pid) : 0
    return {
      url: server.url('postgres'),
      version: server.version,
      postmaster,
      cpu: () => cpuOfTree(postmaster),
      sql,
      async hasOpenRuns() {
        const rows = await sql("SELECT 1 FROM millrace_queue.job WHERE name > 'flow/' LIMIT 1")
        return rows.length > 0
      },
      async endedRuns() {
        const [row] = await sql<{ n: string }>('SELECT count(*) AS n FROM millrace.outcomes')
        return Number(row!.n)
      },
      async empty() {
        await sql('TRUNCATE millrace.runs, millrace.outcomes, millrace.messages, millrace_queue.job')
        await sql('CHECKPOINT')
      },
      async stop() {
        await client.end().catch(() => {})
        await server.stop()
      }
    }
  } catch (error) {
    await client.end().catch(() => {})
    await server.stop()
    throw error
  }
}
