import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { cleanUp } from '../../../../test/support/clean-up.ts'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import type { Migration } from '../../migration-files.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import { examinePostgresStore } from '../upkeep/examine-store.ts'
import { Database } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'

const postgres = sharedPostgres()

async function queryOn<Row>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

async function tables(url: string): Promise<string[]> {
  const rows = await queryOn<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = to_regnamespace('millrace') AND relkind = 'r'
     ORDER BY 1`
  )
  return rows.map(({ name }) => name)
}

const first: Migration = { version: 1, name: '0001-one.sql', sql: 'CREATE TABLE millrace.one (a int)' }
const second: Migration = { version: 2, name: '0002-two.sql', sql: 'CREATE TABLE millrace.two (a int)' }

test('text that an index is ordered by compares byte by byte, whatever the database does', async () => {
  const rows = await queryOn<{ place: string }>(
    await postgres.database(),
    `SELECT DISTINCT t.relname || '.' || a.attname AS place
     FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (i.indkey::smallint[])
     JOIN pg_collation c ON c.oid = a.attcollation
     WHERE t.relnamespace = 'millrace'::regnamespace AND c.collname <> 'C' ORDER BY 1`
  )
  assert.deepEqual(
    rows.map(({ place }) => place),
    []
  )
})

test('migrations are numbered without gaps, and each says whether it expands or contracts', () => {
  readMigrations().forEach(({ version, name, sql }, index) => {
    assert.equal(version, index + 1)
    assert.match(sql, /^-- (?:Expand|Contract)\. /, `${name} does not say which it is in its first line`)
  })
})

test('an empty database is brought up, a known one from where it is, and a fault leaves it there', async (t) => {
  const url = await postgres.emptyDatabase()
  const db = new Database({ url, connections: 3 })
  cleanUp(t, () => db.close())
  await migrate(db, [first])
  assert.deepEqual(await tables(url), ['migrations', 'one'])
  const broken = { ...second, sql: `${second.sql}; CREATE TABLE millrace.one (a int)` }
  await assert.rejects(migrate(db, [first, broken]), /already exists/)
  assert.deepEqual(await tables(url), ['migrations', 'one'])
  await migrate(db, [first, second])
  await migrate(db, [first, second])
  assert.deepEqual(await tables(url), ['migrations', 'one', 'two'])
})

test('of many processes that start together on an empty database one sets it up', async (t) => {
  const url = await postgres.emptyDatabase()
  const stores = await Promise.all(
    Array.from({ length: 5 }, () => openPostgresStore({ processId: 'test', url, connections: 3 }))
  )
  cleanUp(t, () => Promise.all(stores.map((store) => store.close())))
  assert.equal(stores.filter((store) => store.isNew).length, 1)
  await Promise.all(stores.map((store) => store.probe()))
})

test('a store of a newer Millrace is refused and left alone', async () => {
  const url = await postgres.database()
  await queryOn(url, "INSERT INTO millrace.migrations (version, name) VALUES (99, '0099-later.sql')")
  await assert.rejects(openPostgresStore({ processId: 'test', url }), (error: Error & { code: string }) => {
    assert.equal(error.code, 'store_too_new')
    assert.match(error.message, /version 99.*up to \d+/)
    return true
  })
})

test('a store from before 0.1.0 is refused in one line and left alone', async () => {
  const url = await postgres.database()
  await queryOn(
    url,
    `UPDATE millrace.migrations SET name = '0001-initial.sql';
     INSERT INTO millrace.migrations (version, name) VALUES (2, '0002-processes.sql')`
  )
  await assert.rejects(openPostgresStore({ processId: 'test', url }), {
    code: 'store_too_old',
    message: /before 0\.1\.0.*another database/
  })
  const findings = await examinePostgresStore({ url, now: Date.now })
  const faults = findings.filter(({ verdict }) => verdict === 'fault')
  assert.deepEqual(
    faults.map(({ check }) => check),
    ['migrations']
  )
})

test('a user who may not create schemas can run what somebody else has set up', async (t) => {
  const url = await postgres.database()
  const name = new URL(url).pathname.slice(1)
  await queryOn(
    url,
    `CREATE ROLE plain_${name} LOGIN;
     GRANT USAGE ON SCHEMA millrace, millrace_queue TO plain_${name};
     GRANT ALL ON ALL TABLES IN SCHEMA millrace, millrace_queue TO plain_${name};
     GRANT ALL ON ALL SEQUENCES IN SCHEMA millrace, millrace_queue TO plain_${name}`
  )
  const plain = new URL(url)
  plain.username = `plain_${name}`
  const store = await openPostgresStore({ processId: 'test', url: plain.href })
  cleanUp(t, () => store.close())
  await store.probe()
  const bare = new URL(await postgres.emptyDatabase())
  bare.username = `plain_${name}`
  await assert.rejects(openPostgresStore({ processId: 'test', url: bare.href }), {
    code: 'store_unwritable',
    message: /GRANT CREATE/
  })
})
