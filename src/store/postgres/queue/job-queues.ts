import { type Clock, PgBoss, systemClock } from 'pg-boss'
import type { Database } from '../database/database.ts'
import { SYSTEM_TIMING, type Timing } from '../database/timing.ts'
import { asStoreError } from '../database/unavailable.ts'
import { whileLocked } from '../database/while-locked.ts'
import { HEARTBEAT_SECONDS, QUEUE_SCHEMA, queueOf } from './job-rows.ts'
import { refuseUntestedQueue } from './queue-version.ts'

interface JobQueuesOptions {
  readonly db: Database
  /** Whether this process takes part in pg-boss's upkeep of its tables, which goes round among all that do. */
  readonly upkeep: boolean
  readonly onError: (error: unknown, doing: string) => void
  readonly timing?: Timing
}

/** Held while pg-boss sets up its tables: of all processes that start together one does it. */
const SETUP_LOCK = 5_570_193_308_531_130_001n

const FOREIGN_KEY = '23503'

/**
 * pg-boss checks for every new job, one by one, that its queue is there: 15 of 60 µs that the database has for
 * accepting a run. Here a queue is made before its first job and never deleted. Nobody is held up for it: where the
 * lock is not free at once, as while a backup is made, a later start tries again.
 */
const withoutQueueCheck = `
  DO $$ BEGIN
    IF EXISTS (
      SELECT FROM pg_constraint WHERE conname = 'q_fkey' AND conrelid = '${QUEUE_SCHEMA}.job_common'::regclass
    ) THEN
      SET LOCAL lock_timeout = '200ms';
      ALTER TABLE ${QUEUE_SCHEMA}.job_common DROP CONSTRAINT q_fkey;
    END IF;
  EXCEPTION WHEN lock_not_available OR insufficient_privilege THEN NULL;
  END $$`

/**
 * Runs that wait for days are most of the jobs for whoever gathers statistics, and those of all other flows seem to be none:
 * then the plan for taking them up compares each of 90 with all that wait (170 instead of 8 ms where 1,000 did). Without
 * statistics of queues' names PostgreSQL expects some jobs in each, and looks them up one by one.
 */
const withoutQueueStatistics = `
  DO $$ BEGIN
    IF EXISTS (
      SELECT FROM pg_attribute WHERE attrelid = '${QUEUE_SCHEMA}.job_common'::regclass AND attname = 'name'
        AND coalesce(attstattarget, -1) <> 0
    ) THEN
      SET LOCAL lock_timeout = '200ms';
      ALTER TABLE ${QUEUE_SCHEMA}.job_common ALTER COLUMN name SET STATISTICS 0;
    END IF;
  EXCEPTION WHEN lock_not_available OR insufficient_privilege THEN NULL;
  END $$`

/** pg-boss on our connections, and the queues of the flows in it. */
export class JobQueues {
  readonly boss: PgBoss
  readonly #db: Database
  readonly #timing: Timing
  /** Queues that are known to exist. */
  readonly #known = new Set<string>()

  constructor({ db, upkeep, onError, timing = SYSTEM_TIMING }: JobQueuesOptions) {
    this.#db = db
    this.#timing = timing
    this.boss = new PgBoss({
      db: { executeSql: (text, values = []) => db.execute(text, values) },
      schema: QUEUE_SCHEMA,
      schedule: false,
      supervise: upkeep,
      clock: clockOf(timing)
    })
    this.boss.on('error', (error) => onError(asStoreError(db.place, error), 'the upkeep of the queue'))
  }

  async start(): Promise<void> {
    await this.#db.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', [SETUP_LOCK])
      // Not in this transaction: it would keep its lock on the table while pg-boss may have to change it.
      const start = async () => {
        await refuseUntestedQueue(this.#db.query, this.#db.place)
        await this.boss.start()
      }
      await whileLocked(query, start, this.#timing)
      await query(withoutQueueCheck)
      await query(withoutQueueStatistics)
    })
  }

  /** Nobody works through pg-boss's own workers, so there is nothing to wait for. */
  stop(): Promise<void> {
    return this.boss.stop({ graceful: false })
  }

  /**
   * Does what puts jobs into the queues of these flows, which are made when they are met for the first time. Should
   * somebody have deleted one since, it is made again, where the database tells.
   */
  async with<T>(flowIds: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const wanted = new Set(flowIds)
    await this.#make(wanted)
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: unknown }).code !== FOREIGN_KEY) throw error
      for (const flowId of wanted) this.#known.delete(flowId)
      await this.#make(wanted)
      return work()
    }
  }

  async #make(flowIds: Iterable<string>): Promise<void> {
    for (const flowId of flowIds) {
      if (this.#known.has(flowId)) continue
      await this.boss.createQueue(queueOf(flowId), {
        policy: 'standard',
        heartbeatSeconds: HEARTBEAT_SECONDS
      })
      this.#known.add(flowId)
    }
  }
}

/** As pg-boss has it. */
function clockOf({ startTimer }: Timing): Clock {
  const stop = (timer: unknown) => (timer as { stop(): void } | undefined)?.stop()
  const setInterval = (then: () => void, ms: number) => {
    const again = () => {
      timer = startTimer(ms, again)
      then()
    }
    let timer = startTimer(ms, again)
    return { stop: () => timer.stop() }
  }
  return {
    ...systemClock,
    setTimeout: (then, ms) => startTimer(ms, then),
    clearTimeout: stop,
    setInterval,
    clearInterval: stop
  }
}
