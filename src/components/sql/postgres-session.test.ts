import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { startRelay } from '../../../test/support/tcp-relay.ts'
import type { StepError } from '../../plugin-api.ts'
import type { Database } from './database.ts'
import { ask, failure, never, openConnection, ROOM } from './databases.test-kit.ts'
import { databaseResource } from './open-database.ts'
import { PostgresSession } from './postgres-session.ts'

const postgres = sharedPostgres()

/** As many as a process has for one connection: who comes after them is handed a session whose commit is on its way. */
const SESSIONS = 10

describe('sessions that transactions follow each other on', () => {
  let settings: { readonly host: string; readonly port: number; readonly [name: string]: unknown }
  let database: Database

  before(async () => {
    const { port, pathname } = new URL(await postgres.emptyDatabase())
    settings = { host: '127.0.0.1', port: Number(port), user: 'millrace', database: pathname.slice(1) }
    database = await databaseResource.open(openConnection('postgres', settings))
  })
  after(() => database.close())

  const idsIn = async (table: string) =>
    (await ask(database, `select id from ${table} order by id`)).rows.map(({ id }) => id)

  it('are not cut off while something is committed on them', async (t) => {
    await ask(database, 'create table slow (id int)')
    await ask(
      database,
      `create function wait_for_leave() returns trigger language plpgsql as
        $$ begin execute pg_advisory_xact_lock_shared(7); return null; end $$`
    )
    await ask(
      database,
      `create constraint trigger slow_commit after insert on slow
        deferrable initially deferred for each row execute function wait_for_leave()`
    )
    const other = await PostgresSession.open(openConnection('postgres', settings), never)
    const watcher = await databaseResource.open(openConnection('postgres', settings))
    t.after(async () => {
      other.destroy()
      await watcher.close()
    })
    await other.begin({ isReadOnly: false, timeoutMs: 60_000 })
    await other.ask({ text: 'select pg_advisory_xact_lock(7)', values: [] }, () => {}, ROOM)

    const end = new AbortController()
    const insert = (id: number, signal = never) =>
      ask(database, 'insert into slow values (:id)', { values: { id }, signal })
    const first = Array.from({ length: SESSIONS }, (_, id) => insert(id))
    const cancelled = insert(SESSIONS, end.signal)
    const waiting = "select from pg_stat_activity where wait_event = 'advisory' and query = 'commit'"
    while ((await ask(watcher, waiting)).count < SESSIONS);
    const reason = new Error('cancelled')
    end.abort(reason)
    await assert.rejects(cancelled, reason)
    await other.rollback()

    await Promise.all(first)
    assert.deepEqual(await idsIn('slow'), [...first.keys()])
  })

  it('go on for the next where a commit is refused', async () => {
    await ask(database, 'create table deferred (id int unique deferrable initially deferred)')
    await ask(database, 'insert into deferred values (0)')
    const ids = Array.from({ length: 4 * SESSIONS }, (_, index) => (index % 2 === 0 ? 0 : index))
    const results = await Promise.allSettled(
      ids.map((id) => ask(database, 'insert into deferred values (:id)', { values: { id } }))
    )
    const codes = results.map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason as StepError).code
    )
    assert.deepEqual(
      codes,
      ids.map((id) => (id === 0 ? 'sql_duplicate_key' : 'done'))
    )
    assert.deepEqual(await idsIn('deferred'), [0, ...ids.filter((id) => id > 0)])
  })

  it('that are lost leave open only what was being committed', async (t) => {
    await ask(database, 'create table lost (id int)')
    let isCut = false
    const { port } = await startRelay(t, settings.port, {
      fateOf: (piece) => {
        // Both came in one packet.
        if (isCut || !/commit.*insert/s.test(piece)) return 'pass'
        isCut = true
        return 'cut'
      }
    })
    const behind = await databaseResource.open(openConnection('postgres', { ...settings, port }))
    t.after(() => behind.close())
    const ids = Array.from({ length: SESSIONS + 1 }, (_, id) => id)
    const results = await Promise.allSettled(
      ids.map((id) => ask(behind, 'insert into lost values (:id)', { values: { id } }))
    )
    const failed = ids.filter((id) => results[id]!.status === 'rejected')
    assert.ok(isCut)
    assert.equal(failed.length, 1)
    const { reason } = results[failed[0]!] as PromiseRejectedResult
    assert.equal(reason.code, 'sql_commit_unknown')
    assert.deepEqual(
      await idsIn('lost'),
      ids.filter((id) => !failed.includes(id))
    )
  })

  it('have no rows to copy from', async () => {
    await ask(database, 'create table copied (id int)')
    const error = await failure(ask(database, 'copy copied from stdin'))
    assert.equal(error.code, 'sql_statement_refused')
    assert.match(error.message, /Write insert/)
    assert.equal((await ask(database, 'insert into copied values (1)')).count, 1)
  })
})
