import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { migratedSchema, renewCommand, schemaOf } from '../schema.test-kit.ts'
import { openFor } from '../sqlite-subject.test-kit.ts'
import { migrate, readMigrations, readSchema } from './migrate.ts'

const migrations = [
  { version: 1, sql: 'CREATE TABLE one (a)' },
  { version: 2, sql: 'CREATE TABLE two (a)' }
]

function tables(db: DatabaseSync): unknown[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row.name)
}

test('schema.sql is what the migrations lead to', () => {
  assert.equal(migratedSchema(), readSchema(), `The schema has changed. Renew it: ${renewCommand}`)
})

test('a new store is made at once, and is what the migrations lead to', () => {
  const db = new DatabaseSync(':memory:')
  assert.equal(migrate(db, readMigrations().slice(0, 0), 'x', readSchema), true)
  assert.equal(schemaOf(db), migratedSchema())
  assert.equal(migrate(db, readMigrations(), 'x', readSchema), false)
  assert.equal(schemaOf(db), migratedSchema())
})

test('a schema that is behind is brought up by the migrations after it', () => {
  const db = new DatabaseSync(':memory:')
  const schema = () => 'CREATE TABLE one (a); PRAGMA user_version = 1'
  assert.equal(migrate(db, migrations, 'x', schema), true)
  assert.deepEqual(tables(db), ['one', 'two'])
})

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
