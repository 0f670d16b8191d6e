import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sampleRun } from '../../contract/subject.test-kit.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { folderFor } from '../sqlite-subject.test-kit.ts'
import { backUpStore } from '../upkeep/back-up-store.ts'
import { openStoreExport } from '../upkeep/export-store.ts'
import { openCommandStore } from '../upkeep/open-command-store.ts'
import { databasePath } from './database-file.ts'

const nothing = { before: async () => {}, after: async () => undefined }

/** Names and rights of all files in a folder. */
function rightsIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)])
  )
}

const EVERY_FILE = ['lock.db', 'lock.holder', 'millrace.db', 'millrace.db-shm', 'millrace.db-wal']
const closed = Object.fromEntries(EVERY_FILE.map((name) => [name, '600']))

test('in a folder that is open to all, the files of a new store are for their owner alone', async (t) => {
  const folder = join(await folderFor(t), 'home')
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const store = await openSqliteStore({ folder })
  t.after(() => store.close())
  await store.runs.accept(sampleRun())
  assert.deepEqual(rightsIn(folder), closed)
  const backup = join(folder, 'backup.db')
  await backUpStore(folder, backup, nothing)
  assert.equal(rightsIn(folder)['backup.db'], '600')
})

test('the files of a store that was open are closed, those of its log too; the rights of the owner stay', async (t) => {
  const folder = await folderFor(t)
  const first = await openSqliteStore({ folder })
  await first.close()
  writeFileSync(`${databasePath(folder)}-wal`, '')
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666)
  const store = await openSqliteStore({ folder })
  t.after(() => store.close())
  await store.runs.accept(sampleRun())
  assert.deepEqual(rightsIn(folder), closed)
})

test('an empty file is no new store, for the service and for commands', async (t) => {
  const folder = await folderFor(t)
  const path = databasePath(folder)
  writeFileSync(path, '')
  const empty = {
    code: 'store_unwritable',
    message: /millrace\.db is empty, so it is not a store\. Restore a backup/
  }
  await assert.rejects(openSqliteStore({ folder }), empty)
  assert.throws(() => openStoreExport(folder), empty)
  assert.throws(() => openCommandStore(folder), empty)
  await assert.rejects(backUpStore(folder, join(folder, 'backup.db'), nothing), empty)
  assert.equal(statSync(path).size, 0, 'it is left as it is')
})

test('a database whose file is gone and whose log is there is not begun anew', async (t) => {
  const folder = await folderFor(t)
  const path = databasePath(folder)
  const store = await openSqliteStore({ folder })
  await store.runs.accept(sampleRun())
  const log = readFileSync(`${path}-wal`)
  await store.close()
  rmSync(path)
  writeFileSync(`${path}-wal`, log)
  await assert.rejects(openSqliteStore({ folder }), {
    code: 'store_unwritable',
    message: /its log .* is there\. Put the file back/
  })
  assert.deepEqual(readFileSync(`${path}-wal`), log)
  assert.ok(!existsSync(path))
})

test("somebody else's database is left as it is", async (t) => {
  const folder = await folderFor(t)
  const db = new DatabaseSync(databasePath(folder))
  db.exec('CREATE TABLE recipes (name TEXT)')
  db.close()
  await assert.rejects(openSqliteStore({ folder }), {
    code: 'store_unwritable',
    message: /not one of Millrace\. Move it away/
  })
  const after = new DatabaseSync(databasePath(folder))
  assert.deepEqual(
    after
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
    ['recipes']
  )
  after.close()
})

test('a process that was killed while it made the store leaves nothing in the way', async (t) => {
  const folder = await folderFor(t)
  writeFileSync(`${databasePath(folder)}.new`, 'half of a')
  const store = await openSqliteStore({ folder })
  assert.equal(store.isNew, true)
  await store.close()
  assert.ok(!existsSync(`${databasePath(folder)}.new`))
})
