import { tmpdir } from 'node:os'
import { openPostgresStore } from '../../store/postgres/open-postgres-store.ts'
import type { SharedStore } from '../../store/shared-store.ts'
import { NEVER } from '../../store/waits.ts'
import type { Machine, StoreUser } from '../world/machine.ts'
import type { Owner } from '../world/scheduler.ts'
import { BEGINNING } from '../world/virtual-clock.ts'
import type { PostgresRecords } from './postgres-records.ts'
import { simulatedClient } from './simulated-client.ts'
import type { Wire } from './wire.ts'

const BEFORE_MS = 2_000

/** Few, so that what holds one meets what waits for one. */
const CONNECTIONS = 6

/** One or more processes on PostgreSQL's store, which share a database of a real server. */
export class PostgresMachine implements Machine {
  readonly #url: string
  readonly #wire: Wire
  readonly records: PostgresRecords

  constructor(url: string, wire: Wire, records: PostgresRecords) {
    this.#url = url
    this.#wire = wire
    this.records = records
  }

  get config(): Machine['config'] {
    return { home: tmpdir(), database: { url: this.#url, connections: CONNECTIONS } }
  }

  async open({ owner, clock, processId, onError, onCall }: StoreUser): Promise<SharedStore> {
    const store = await openPostgresStore({
      url: this.#url,
      connections: CONNECTIONS,
      processId,
      timing: clock,
      Client: simulatedClient(this.#wire, owner),
      poolTimes: { connectMs: 0, idleMs: 0 },
      onError
    })
    const prune: typeof store.runs.prune = (rule) => {
      onCall('runs', 'prune')
      return store.runs.prune(rule)
    }
    return { ...store, runs: { ...store.runs, prune } }
  }

  left(process: Owner): Promise<void> {
    return this.#wire.died(process)
  }

  froze(process: Owner): void {
    this.#wire.froze(process)
  }

  /**
   * To the moment before the next run is due, where none is left that could go on: all clocks are set, that of the database and those of
   * the processes. An hour that passes in seconds would be 3,600 times that each process looks.
   */
  passTime({ wall, scheduler }: Parameters<NonNullable<Machine['passTime']>>[0]): void {
    const open = this.records.open()
    if (open.length === 0 || open.some(({ state }) => state !== 'parked' && state !== 'in line')) return
    const due = open.map(({ dueAt }) => dueAt).filter((at) => at !== null && at < NEVER)
    const rest = Math.min(...due.map((at) => at! - BEGINNING - wall.skewMs - scheduler.now))
    if (Number.isFinite(rest) && rest > 2 * BEFORE_MS) wall.skewMs += Math.floor(rest - BEFORE_MS)
  }

  quiet(): Promise<void> {
    return this.#wire.quiet()
  }

  close(): Promise<void> {
    return this.quiet()
  }
}
