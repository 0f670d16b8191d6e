import type { Client } from 'pg'
import type { MillraceError } from '../../errors.ts'
import { createLibraryStores } from '../library/library-stores.ts'
import { SharedProbe } from '../shared-probe.ts'
import type { SharedStore } from '../shared-store.ts'
import { Confirmations } from './database/confirmations.ts'
import { createConnectionPaces } from './database/connection-paces.ts'
import { Database, type PoolTimes } from './database/database.ts'
import { migrate, readMigrations } from './database/migrate.ts'
import { createRateBuckets } from './database/rate-buckets.ts'
import { PostgresSignals } from './database/signals.ts'
import { SYSTEM_TIMING, type Timing } from './database/timing.ts'
import { asUnopened, storeClosed } from './database/unavailable.ts'
import { createFileParts } from './files/postgres-file-parts.ts'
import { changeValues } from './library/change-kept.ts'
import { flowsSince } from './library/flows-since.ts'
import { LibraryWrites } from './library/library-writes.ts'
import { createPostgresLibrary } from './library/postgres-library.ts'
import { createRunStore } from './postgres-run-store.ts'
import { createProcesses } from './processes.ts'
import { JobQueues } from './queue/job-queues.ts'
import { jobsOfFlow } from './queue/paused-jobs.ts'
import { createMessageStore } from './runs/postgres-message-store.ts'
import { createRunQueue } from './runs/run-queue.ts'
import { createTriggerOwners } from './trigger-owners.ts'
import { refuseUnfinishedCopy } from './upkeep/copy-progress.ts'

export interface PostgresStoreOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string
  /** Different for every process, and for every start of it. */
  readonly processId: string
  /** So many connections at the most; there is one more that listens. */
  readonly connections?: number
  /** Whether this process may be the one that makes what a new store begins with; a worker leaves it to others. */
  readonly mayBeFirst?: boolean
  /** Whether it takes part in pg-boss's upkeep of its tables. */
  readonly upkeep?: boolean
  /** Called once for every batch that the database refused. */
  readonly onUnwritable?: (error: MillraceError) => void
  /** Called after every commit, with the number of writes in it and the time it took. */
  readonly onBatch?: (size: number, seconds: number) => void
  /** Called when something in the background fails and will be tried again. */
  readonly onError?: (error: unknown, doing: string) => void
  /** A simulation decides when what is put off is done, and when the server is asked and answers. */
  readonly timing?: Timing
  readonly Client?: typeof Client
  readonly poolTimes?: PoolTimes
}

const CONNECTIONS = 10

interface Opened {
  readonly db: Database
  readonly queues: JobQueues
  readonly signals: PostgresSignals
  readonly options: PostgresStoreOptions
}

/** Opens the store that processes share. Rejects with `store_too_new`, `queue_untested`, `copy_refused` or `store_unwritable`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<SharedStore> {
  const { url, processId, connections = CONNECTIONS, upkeep = false, onError = () => {} } = options
  const { timing = SYSTEM_TIMING, Client, poolTimes } = options
  const db = new Database({ url, connections, Client, poolTimes })
  const queues = new JobQueues({ db, upkeep, onError, timing })
  const signals = new PostgresSignals({ url, processId, onError, Client, timing })
  const opened = { db, queues, signals, options }
  try {
    await migrate(db, readMigrations())
    await refuseUnfinishedCopy(db.query, db.place)
    await queues.start()
    await signals.start()
    return assemble(opened, options.mayBeFirst === false ? false : await isFirstOpening(db))
  } catch (error) {
    await closeAll(opened)
    throw asUnopened(db.place, error)
  }
}

async function closeAll({ db, queues, signals }: Opened): Promise<void> {
  await signals.close()
  await queues.stop().catch(() => {})
  await db.close()
}

/** Of all processes that ever open the store, one is told that it is new. */
async function isFirstOpening(db: Database): Promise<boolean> {
  const rows = await db.query(
    'UPDATE millrace.installation SET opened_on = now() WHERE opened_on IS NULL RETURNING only_row'
  )
  return rows.length > 0
}

function assemble(opened: Opened, isNew: boolean): SharedStore {
  const { db, queues, signals, options } = opened
  const { processId, timing = SYSTEM_TIMING } = options
  const confirmations = new Confirmations({ processId, signals, query: db.query, timing })
  const writes = new LibraryWrites(db, (part, revision) => confirmations.tell(part, revision))
  const library = createPostgresLibrary(writes)
  let closed: Promise<void> | undefined
  const probe: SharedProbe = new SharedProbe({
    write: async () => void (await db.query('UPDATE millrace.installation SET probes = probes + 1')),
    now: timing.stopwatch,
    refusal: () => (closed === undefined ? undefined : storeClosed(db.place))
  })
  const runs = createRunStore({
    db,
    queues,
    timing,
    onNews: (news) => signals.announce(news),
    onBatch: (size, seconds) => {
      probe.wrote()
      options.onBatch?.(size, seconds)
    },
    onUnwritable: (error) => {
      probe.refused()
      options.onUnwritable?.(error)
    }
  })

  async function close(): Promise<void> {
    await runs.close()
    await writes.settled()
    confirmations.close()
    await closeAll(opened)
  }

  return {
    kind: 'postgres',
    isNew,
    uncleanEnds: 0,
    ...createLibraryStores(library, { runsOfFlow: jobsOfFlow, changeValues: changeValues(db, timing) }),
    runs: runs.store,
    messages: createMessageStore(db.query),
    triggerOwners: createTriggerOwners(db.query),
    queue: createRunQueue({ db, processId, giveBackInTurn: runs.giveBackInTurn }),
    signals,
    processes: createProcesses(db, timing),
    library: {
      flowsSince: (revision) => flowsSince(db.query, library.dialect, revision),
      confirmed: (part) => confirmations.confirmed(part)
    },
    rates: createRateBuckets(db),
    paces: createConnectionPaces(db),
    fileParts: createFileParts(db),
    probe: () => probe.probe(),
    close() {
      closed ??= close()
      return closed
    }
  }
}
