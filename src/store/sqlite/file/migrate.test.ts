import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { openFor } from '../sqlite-subject.test-kit.ts'
import { examineSqliteStore } from '../upkeep/examine-store.ts'
import { migrate, readMigrations } from './migrate.ts'

const migrations = [
  { version: 1, sql: 'CREATE TABLE one (a); PRAGMA application_id = 0x4d494c4c' },
  { version: 2, sql: 'CREATE TABLE two (a)' }
]

function tables(db: DatabaseSync): unknown[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row.name)
}

test('migrations are numbered without gaps', () => {
  const versions = readMigrations().map((migration) => migration.version)
  assert.deepEqual(
    versions,
    versions.map((_, index) => index + 1)
  )
})

test('an empty database is brought up once, a known one from where it is', () => {
  const db = new DatabaseSync(':memory:')
  assert.equal(migrate(db, migrations.slice(0, 1), 'x'), true)
  assert.equal(migrate(db, migrations, 'x'), false)
  assert.equal(migrate(db, migrations, 'x'), false)
  assert.deepEqual(tables(db), ['one', 'two'])
})

test('a migration that fails leaves the version before it', () => {
  const db = new DatabaseSync(':memory:')
  const broken = { version: 2, sql: 'CREATE TABLE two (a); CREATE TABLE one (a)' }
  assert.throws(() => migrate(db, [migrations[0]!, broken], 'x'), /already exists/)
  assert.deepEqual(tables(db), ['one'])
  assert.equal(migrate(db, migrations, 'x'), false)
  assert.deepEqual(tables(db), ['one', 'two'])
})

test('a store of a newer Millrace is refused and left alone', async (t) => {
  const { store, folder } = await openFor(t)
  await store.close()
  const db = new DatabaseSync(join(folder, 'millrace.db'))
  db.exec('PRAGMA user_version = 99')
  db.close()
  await assert.rejects(openSqliteStore({ folder }), (error: Error & { code: string }) => {
    assert.equal(error.code, 'store_too_new')
    assert.match(error.message, /version 99.*up to \d+/)
    return true
  })
})

test('a store from before 0.1.0 is refused in one line and left alone', async (t) => {
  const { store, folder } = await openFor(t)
  await store.close()
  const db = new DatabaseSync(join(folder, 'millrace.db'))
  db.exec('PRAGMA user_version = 29; PRAGMA application_id = 0')
  db.close()
  await assert.rejects(openSqliteStore({ folder }), {
    code: 'store_too_old',
    message: /before 0\.1\.0.*Move it away/
  })
  const findings = examineSqliteStore({ folder }).filter(({ verdict }) => verdict === 'fault')
  assert.deepEqual(
    findings.map(({ check }) => check),
    ['schema']
  )
})
