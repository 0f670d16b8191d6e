import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { acceptMany, listedIds, sampleFlow, sampleRun } from '../../contract/subject.test-kit.ts'
import type { Store } from '../../store.ts'
import { databasePath } from '../file/database-file.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { folderFor } from '../sqlite-subject.test-kit.ts'
import { findDamage } from './find-damage.ts'

const PAGE = 4096
const MB = 1024 * 1024

/** A store of some runs whose table is on many pages. */
async function filledFolder(t: TestContext): Promise<string> {
  const folder = await folderFor(t)
  const store = await openSqliteStore({ folder })
  await store.flows.create(sampleFlow({ id: 'flow-a' }))
  await acceptMany(store, 300, { input: Buffer.alloc(2_000, 'x') })
  await store.close()
  return folder
}

/** Overwrites the pages of a table below its first one, as a disk that fails does. */
function damage(folder: string, table: string): void {
  const db = new DatabaseSync(databasePath(folder))
  const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
    rootpage: number
  }
  db.close()
  const file = openSync(databasePath(folder), 'r+')
  writeSync(file, Buffer.alloc(PAGE, 0xff), 0, PAGE, (rootpage - 1) * PAGE)
  closeSync(file)
}

async function open(t: TestContext, folder: string): Promise<Store> {
  const store = await openSqliteStore({ folder })
  t.after(() => store.close())
  return store
}

test('a store with damaged pages opens, can be read where it is sound, and takes nothing', async (t) => {
  const folder = await filledFolder(t)
  damage(folder, 'messages_by_run')
  const before = readFileSync(databasePath(folder))
  const store = await open(t, folder)
  const damaged = { code: 'store_unwritable', message: /is damaged: .* restore a backup/ }
  await assert.rejects(store.probe(), damaged)
  await assert.rejects(store.runs.accept(sampleRun()), damaged)
  await assert.rejects(store.runs.acceptOnce(sampleRun(), [{ key: 'a', body: null }]), damaged)
  await assert.rejects(store.flows.create(sampleFlow()), damaged)
  assert.equal((await store.flows.live()).length, 1)
  assert.equal((await listedIds(store)).length, 300)
  await store.close()
  assert.deepEqual(readFileSync(databasePath(folder)), before, 'nothing was written')
  await assert.rejects((await open(t, folder)).probe(), damaged, 'the next start finds it too')
})

test('a page that is met later is told as what it is, and nothing is written from then on', async (t) => {
  const folder = await filledFolder(t)
  damage(folder, 'messages_by_flow')
  // Nobody looks for damage in a file of this size that was closed in order. The hole at its end takes no room.
  truncateSync(databasePath(folder), 33 * MB)
  const store = await open(t, folder)
  await store.probe()
  const damaged = { code: 'store_unwritable', message: /is damaged: .* restore a backup/ }
  await assert.rejects(store.messages.list({ flowId: 'flow-a', limit: 10 }), damaged)
  await assert.rejects(store.runs.accept(sampleRun()), damaged)
  assert.equal((await store.flows.live()).length, 1)
})

test('of a large file all is looked at after a crash, of a very large one what nothing goes without', async (t) => {
  const folder = await filledFolder(t)
  const file = databasePath(folder)
  const look = (isAfterCrash: boolean) => {
    const db = new DatabaseSync(file)
    try {
      return findDamage(db, file, isAfterCrash) !== undefined
    } finally {
      db.close()
    }
  }
  assert.deepEqual([look(false), look(true)], [false, false])
  damage(folder, 'messages_by_run')
  assert.deepEqual([look(false), look(true)], [true, true])
  truncateSync(file, 33 * MB)
  assert.deepEqual([look(false), look(true)], [false, true])
  truncateSync(file, 513 * MB)
  assert.deepEqual([look(false), look(true)], [false, false])
  damage(folder, 'flows')
  assert.deepEqual([look(false), look(true)], [false, true])
})
