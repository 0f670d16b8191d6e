import { Client } from 'pg'
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Ground } from '../template-store.ts'
import { BEGINNING } from '../world/virtual-clock.ts'
import type { World } from '../world/world.ts'
import { BlockingReader } from './blocking-reader.ts'
import { generateClusterScenario } from './cluster-scenario.ts'
import { CLOCK_SCHEMA, DatabaseClock, QUEUE_CLOCK } from './database-clock.ts'
import { PostgresMachine } from './postgres-machine.ts'
import { NOTE_STATE_CHANGES, PostgresRecords } from './postgres-records.ts'
import { RealSessions } from './real-sessions.ts'
import { UnderWork } from './under-work.ts'
import { Wire } from './wire.ts'

interface DatabaseToPlayOn {
  /** Of an empty database that nobody else uses. */
  readonly url: string
  /** The statements that bring it back to what is in it now. */
  readonly describeContent: (client: Client) => Promise<string>
}

/** Sets the database up once; each scenario begins with what was in it then. */
export async function preparePostgresGround({ url, describeContent }: DatabaseToPlayOn): Promise<Ground> {
  const control = new Client({ connectionString: url })
  await control.connect()
  await control.query(CLOCK_SCHEMA)
  await control.query(
    `ALTER DATABASE ${control.escapeIdentifier(control.database!)} SET simulation.now = '${new Date(BEGINNING).toISOString()}'`
  )
  // Defaults of columns are bound to the function that is found when a table is made.
  const found = new URL(url)
  found.searchParams.set('options', '-c search_path=simulation,pg_catalog,public')
  await (await openPostgresStore({ url: found.href, processId: 'template', connections: 4 })).close()
  await control.query(QUEUE_CLOCK)
  await control.query(NOTE_STATE_CHANGES)
  const sessions = new RealSessions(url)
  const reader = new BlockingReader(url)
  const emptying = fromNothing(await describeContent(control))
  return {
    begin: async () => void (await control.query(emptying)),
    scenarioOf: generateClusterScenario,
    machineOf: (world) => machineOf(world, { url, control, sessions, reader }),
    end: async () => {
      await sessions.end()
      await reader.end()
      await control.end()
    }
  }
}

/**
 * Tables begin empty, not emptied: what deleted rows leave behind decides where the next ones go, and with that the order of rows
 * of which no statement says it. A seed would depend on those before it.
 */
function fromNothing(emptying: string): string {
  const deleting = /^DELETE FROM (.+?);?$/gm
  const tables = [...emptying.matchAll(deleting)].map(([, table]) => table)
  return `TRUNCATE ${tables.join(', ')} CASCADE;\n${emptying.replace(deleting, 'SELECT 1;')}`
}

interface Parts {
  readonly url: string
  readonly control: Client
  readonly sessions: RealSessions
  readonly reader: BlockingReader
}

function machineOf(world: World, { url, control, sessions, reader }: Parts): PostgresMachine {
  const { scheduler, scenario, condition, wall } = world
  const underWork = new UnderWork(control)
  const wire = new Wire({
    scheduler,
    condition,
    answers: scenario.answers,
    unheard: scenario.unheard ?? 0,
    random: seededRandom(`${scenario.seed}/wire`),
    sessions,
    underWork,
    clock: new DatabaseClock(() => BEGINNING + wall.skewMs + scheduler.now)
  })
  return new PostgresMachine(url, wire, new PostgresRecords(reader, () => underWork.changes))
}
