import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sharedMariaDb } from '../../../test/support/mariadb.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { startRelay } from '../../../test/support/tcp-relay.ts'
import type { Database } from './database.ts'
import { ask, failure, openConnection, type Settings } from './databases.test-kit.ts'
import { databaseResource } from './open-database.ts'

/** Sessions are shared by the steps of many flows and contexts: what one leaves on them is nothing to the next. */
const postgres = sharedPostgres()
const mariaDb = sharedMariaDb()

async function onlyValue(database: Database, query: string): Promise<unknown> {
  const { rows } = await ask(database, query)
  return Object.values(rows[0]!)[0]
}

/** A server that resets no session. The words are as long as those in their place, for a message tells its length. */
const withoutReset = (piece: Buffer) =>
  Buffer.from(piece.toString('latin1').replace('discard all', 'discard non'), 'latin1')

describe('what a step leaves on a session of PostgreSQL', () => {
  let settings: Settings & { readonly port: number }
  let database: Database
  let readOnly: Database
  let other: Database
  const open = (more: Settings = {}) =>
    databaseResource.open(openConnection('postgres', { ...settings, ...more }))

  before(async () => {
    const { port, pathname } = new URL(await postgres.emptyDatabase())
    settings = { host: '127.0.0.1', port: Number(port), user: 'millrace', database: pathname.slice(1) }
    database = await open()
    readOnly = await open({ read_only: true })
    other = await open()
  })
  after(() => Promise.all([database, readOnly, other].map((each) => each.close())))

  it('is gone for the next, be it a table, a setting, a plan or a lock', async () => {
    const path = await onlyValue(other, 'show search_path')
    for (const by of [database, readOnly]) {
      const session = await onlyValue(by, 'select pg_backend_pid()')
      if (by === database) await ask(by, 'create temp table left_behind (id int)')
      await ask(by, "select set_config('search_path', 'nowhere', false)")
      await ask(by, "select set_config('datestyle', 'German', false)")
      await ask(by, 'do $$ begin execute $p$prepare left_behind as select 1$p$; end $$')
      assert.equal(await onlyValue(by, "select to_regclass('pg_temp.left_behind')"), null)
      assert.equal(await onlyValue(by, 'show search_path'), path)
      assert.equal(await onlyValue(by, 'select count(*) from pg_prepared_statements'), 0)
      assert.equal(await onlyValue(by, "select date '2026-02-03'"), '2026-02-03')
      assert.equal(await onlyValue(by, 'select pg_backend_pid()'), session, 'the session is the same one')
    }
  })

  it('is gone at once: a lock holds nobody up while the session is idle', async () => {
    for (const by of [database, readOnly]) {
      await ask(by, 'select pg_advisory_lock(42)')
      await ask(other, 'select pg_advisory_lock(42)', { timeoutMs: 5_000 })
    }
  })

  it('is gone where the step failed', async () => {
    await failure(
      ask(database, "select set_config('search_path', 'nowhere', false), pg_advisory_lock(43), 1/0")
    )
    await ask(other, 'select pg_advisory_lock(43)', { timeoutMs: 5_000 })
    assert.notEqual(await onlyValue(database, 'show search_path'), 'nowhere')
  })

  it('is gone for who is handed a session whose commit is on its way', async () => {
    const name = (n: number) => `select set_config('application_name', 'left ${n}', false)`
    const look = "select current_setting('application_name') as a"
    const asked = Array.from({ length: 40 }, (_, n) => ask(database, n % 2 === 0 ? name(n) : look))
    const answers = await Promise.all(asked)
    for (const [n, { rows }] of answers.entries())
      if (n % 2 === 1) assert.deepEqual(rows, [{ a: 'millrace' }])
  })

  it('is gone where the server does not reset sessions: the next step has one of its own', async (t) => {
    const { port } = await startRelay(t, settings.port, { asked: withoutReset })
    const behind = await open({ port })
    t.after(() => behind.close())
    await ask(behind, "select set_config('search_path', 'nowhere', false)")
    assert.notEqual(await onlyValue(behind, 'show search_path'), 'nowhere')
  })

  it('is gone where the refusal to reset comes with what the next step is answered', async (t) => {
    let held = Buffer.alloc(0)
    const withTheNext = (piece: Buffer) => {
      held = Buffer.concat([held, piece])
      const refusal = held.indexOf('SERROR')
      const end = refusal === -1 || held.includes('search_path') ? held.length : refusal - 5
      const given = held.subarray(0, end)
      held = held.subarray(end)
      return given
    }
    const { port } = await startRelay(t, settings.port, { asked: withoutReset, answered: withTheNext })
    const behind = await open({ port })
    t.after(() => behind.close())
    await ask(behind, "select pg_catalog.set_config('search' || '_path', 'nowhere', false) as path")
    assert.notEqual(await onlyValue(behind, 'show search_path'), 'nowhere')
  })
})

describe('what a step leaves on a session of MySQL', () => {
  let database: Database
  let other: Database

  before(async () => {
    const { port, user, database: name } = await mariaDb()
    const settings = { host: '127.0.0.1', port, user, database: name }
    database = await databaseResource.open(openConnection('mysql', settings))
    other = await databaseResource.open(openConnection('mysql', settings))
    await ask(database, "create or replace procedure change_mode() set session sql_mode = 'ANSI_QUOTES'")
  })
  after(async () => {
    await ask(database, 'drop procedure change_mode')
    await Promise.all([database, other].map((each) => each.close()))
  })

  it('is gone for the next, be it a table, a variable or a setting', async () => {
    const session = await onlyValue(database, 'select connection_id()')
    await ask(database, 'create temporary table left_behind (id int)')
    assert.equal((await failure(ask(database, 'select * from left_behind'))).code, 'sql_unknown_table')
    await ask(database, 'select @left := 5')
    assert.equal(await onlyValue(database, 'select @left'), null)
    const mode = await onlyValue(other, 'select @@sql_mode')
    await ask(database, 'call change_mode()')
    assert.equal(await onlyValue(database, 'select @@sql_mode'), mode)
    assert.equal(await onlyValue(database, "select 'ä€😀'"), 'ä€😀')
    assert.equal(await onlyValue(database, 'select connection_id()'), session, 'the session is the same one')
  })

  it('is gone at once: a lock holds nobody up while the session is idle', async () => {
    assert.equal(await onlyValue(database, "select get_lock('left behind', 0)"), 1)
    assert.equal(await onlyValue(other, "select get_lock('left behind', 5)"), 1)
  })

  it('is gone where the step failed', async () => {
    await failure(ask(database, "select get_lock('failed', 0) from nowhere"))
    await failure(ask(database, "select get_lock('failed', 0), (select 1 union select 2)"))
    assert.equal(await onlyValue(other, "select get_lock('failed', 5)"), 1)
  })
})

describe('what a step leaves on a handle of SQLite', () => {
  let folder: string
  let database: Database
  let readOnly: Database

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-left-'))
    const file = join(folder, 'shop.db')
    database = await databaseResource.open(openConnection('sqlite', { file }))
    readOnly = await databaseResource.open(openConnection('sqlite', { file, read_only: true }))
    await ask(database, 'create table orders (id integer primary key)')
  })
  after(async () => {
    await Promise.all([database, readOnly].map((each) => each.close()))
    await rm(folder, { recursive: true, force: true })
  })

  it('is nothing: tables and views that are temporary are refused', async () => {
    const temporary = [
      'create temp table left_behind (id int)',
      'create table temp.left_behind (id int)',
      'create temp table left_behind as select 1 as id',
      'create temp view orders as select 7 as id',
      'create virtual table temp.left_behind using fts5(text)'
    ]
    for (const by of [database, readOnly])
      for (const query of temporary) {
        const error = await failure(ask(by, query))
        assert.equal(error.code, 'sql_denied', query)
      }
    assert.match((await failure(ask(database, temporary[0]!))).message, /temporary/)
  })

  it('is nothing: not even the number of the row that was inserted last', async () => {
    await ask(database, 'insert into orders values (7)')
    assert.equal(await onlyValue(database, 'select last_insert_rowid() + total_changes()'), 0)
  })
})
