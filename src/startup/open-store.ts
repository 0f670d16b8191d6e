import type { FastifyBaseLogger } from 'fastify'
import { type MillraceError, messageOf } from '../errors.ts'
import type { EmbeddedStore } from '../store/embedded-store.ts'
import type { SharedStore } from '../store/shared-store.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { Config } from './config.ts'

export interface OpenStoreOptions {
  readonly config: Pick<Config, 'home' | 'database' | 'role'>
  readonly log: FastifyBaseLogger
  /** Different for every process, and for every start of it. */
  readonly processId: string
  readonly onBatch: (size: number, seconds: number) => void
  readonly onError: (error: unknown, doing: string) => void
}

const TELL_AGAIN_MS = 5_000

/** The store that the configuration names. PostgreSQL's driver and queue are loaded only by who uses them. */
export async function openStore(options: OpenStoreOptions): Promise<EmbeddedStore | SharedStore> {
  const { config, log, processId, onBatch, onError } = options
  const onUnwritable = tellNowAndThen(log)
  if (config.database === null) return openSqliteStore({ folder: config.home, onBatch, onUnwritable })
  const { openPostgresStore } = await import('../store/postgres/open-postgres-store.ts')
  return openPostgresStore({
    ...config.database,
    processId,
    mayBeFirst: config.role !== 'worker',
    upkeep: true,
    onBatch,
    onUnwritable,
    onError
  })
}

/** One line when the store stops taking writes, not one per refused request. */
export function tellNowAndThen(log: FastifyBaseLogger): (error: MillraceError) => void {
  let lastTold = Number.NEGATIVE_INFINITY
  return (error) => {
    const now = performance.now()
    if (now - lastTold < TELL_AGAIN_MS) return
    lastTold = now
    log.error({ code: 'store_unwritable' }, messageOf(error))
  }
}
