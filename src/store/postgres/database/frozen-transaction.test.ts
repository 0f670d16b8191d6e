import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { Database } from './database.ts'
import { whileLocked } from './while-locked.ts'

const postgres = sharedPostgres()
const LOCK = 'SELECT pg_advisory_xact_lock(7)'

async function openDatabase(t: TestContext, idleInTransactionMs?: number): Promise<Database> {
  const url = await postgres.database()
  const db = new Database({
    url,
    connections: 6,
    ...(idleInTransactionMs !== undefined && { idleInTransactionMs })
  })
  cleanUp(t, () => db.close())
  return db
}

/** A transaction that holds the lock and then stands still, until it is told to go on. */
function standStill(db: Database) {
  const locked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const ended = db.transaction(async (query) => {
    await query(LOCK)
    locked.resolve()
    await goOn.promise
  })
  return { locked: locked.promise, goOn: goOn.resolve, ended }
}

test('what a transaction holds that stands still is let go of, and who goes on too late is told', async (t) => {
  const db = await openDatabase(t, 200)
  const still = standStill(db)
  await still.locked
  await db.transaction((query) => query(LOCK))
  still.goOn()
  await assert.rejects(still.ended, { code: 'store_unwritable' })
})

test('what is held while something else is done stays held for as long as that takes', async (t) => {
  const db = await openDatabase(t, 1_000)
  await db.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock(8)')
    await whileLocked(
      query,
      async () => {
        // Whatever stands still from now on is ended before this is over.
        const still = standStill(db)
        await still.locked
        await db.transaction((other) => other(LOCK))
        still.goOn()
        await assert.rejects(still.ended)
        const rows = await db.query<{ isFree: boolean }>('SELECT pg_try_advisory_xact_lock(8) AS "isFree"')
        assert.deepEqual(rows, [{ isFree: false }])
      },
      { sayEveryMs: 50 }
    )
  })
})

test('each connection tells the server when to give this process up, in time for others to go on', async (t) => {
  const db = await openDatabase(t)
  const names = ['idle_in_transaction_session_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle']
  const ask = `SELECT name, setting::integer FROM pg_settings WHERE name = ANY ($1) ORDER BY name`
  for (const query of [db.query, db.write]) {
    const settings = await query<{ name: string; setting: number }>(ask, [names])
    assert.deepEqual(
      settings.map(({ name, setting }) => [name, setting]),
      [
        ['idle_in_transaction_session_timeout', 5_000],
        ['tcp_keepalives_idle', 4],
        ['tcp_user_timeout', 8_000]
      ]
    )
  }
})
