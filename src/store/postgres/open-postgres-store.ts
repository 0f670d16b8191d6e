import { MillraceError } from '../../errors.ts'
import type { Store } from '../store.ts'
import { Database } from './database.ts'
import { InTurn } from './in-turn.ts'
import { JobQueues } from './job-queues.ts'
import { migrate, readMigrations } from './migrate.ts'
import { createContextStore } from './postgres-context-store.ts'
import { createFlowStore } from './postgres-flow-store.ts'
import { createKeyStore } from './postgres-key-store.ts'
import { createMessageStore } from './postgres-message-store.ts'
import { createRunStore } from './postgres-run-store.ts'
import { createSignInStore } from './postgres-sign-in-store.ts'
import { storeClosed, storeUnwritable } from './unavailable.ts'

export interface PostgresStoreOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string
  /** So many connections at the most; there is one more that listens. */
  readonly connections?: number
  /** Called once for every batch that the database refused. */
  readonly onUnwritable?: (error: MillraceError) => void
  /** Called after every commit, with the number of writes in it and the time it took. */
  readonly onBatch?: (size: number, seconds: number) => void
  /** Called when something in the background fails and will be tried again. */
  readonly onError?: (error: unknown, doing: string) => void
}

const CONNECTIONS = 10

/** Opens the store that processes share. Rejects with `store_too_new` or `store_unwritable`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const db = new Database({ url: options.url, connections: options.connections ?? CONNECTIONS })
  const queues = new JobQueues({ db, upkeep: false, onError: options.onError ?? (() => {}) })
  try {
    await migrate(db, readMigrations())
    await queues.start()
    return assemble({ db, queues, isNew: await isFirstOpening(db), options })
  } catch (error) {
    await queues.stop().catch(() => {})
    await db.close()
    throw error instanceof MillraceError ? error : storeUnwritable(db.place, error)
  }
}

/** Of all processes that ever open the store, one is told that it is new. */
async function isFirstOpening(db: Database): Promise<boolean> {
  const rows = await db.query(
    'UPDATE millrace.installation SET opened_on = now() WHERE opened_on IS NULL RETURNING only_row'
  )
  return rows.length > 0
}

interface Opened {
  readonly db: Database
  readonly queues: JobQueues
  readonly isNew: boolean
  readonly options: PostgresStoreOptions
}

function assemble({ db, queues, isNew, options }: Opened): Store {
  const { onBatch, onUnwritable } = options
  const inTurn = new InTurn()
  const runs = createRunStore({ db, queues, onBatch, onUnwritable })
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    await runs.close()
    await inTurn.settled()
    await queues.stop()
    await db.close()
  }

  return {
    kind: 'postgres',
    isNew,
    flows: createFlowStore(db, inTurn),
    runs: runs.store,
    messages: createMessageStore(db.query),
    keys: createKeyStore(db, inTurn),
    signIns: createSignInStore(db, inTurn),
    contexts: createContextStore(db, inTurn),
    async probe() {
      if (closed !== undefined) throw storeClosed(db.place)
      await db.query('UPDATE millrace.installation SET probes = probes + 1')
    },
    close() {
      closed ??= close()
      return closed
    }
  }
}
