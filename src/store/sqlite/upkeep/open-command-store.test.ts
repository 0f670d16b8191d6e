import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sampleKey, sampleRun } from '../../contract/subject.test-kit.ts'
import { folderFor, openFor } from '../sqlite-subject.test-kit.ts'
import { openCommandStore } from './open-command-store.ts'

const link = { hash: 'a'.repeat(64), keyId: 'key-1', expiresAt: 1_000 }

test('a link that is put beside a running store is taken by it', async (t) => {
  const { store, folder } = await openFor(t)
  const key = sampleKey()
  await store.keys.put(key)
  const beside = openCommandStore(folder)
  assert.deepEqual(await beside.keys.list(), [key])
  await beside.signIns.put(link, 0)
  await beside.close()
  assert.deepEqual(await store.signIns.take(link.hash), link)
  await store.runs.accept(sampleRun())
})

test('both may write at the same time', async (t) => {
  const { store, folder } = await openFor(t)
  const beside = openCommandStore(folder)
  const writes = Array.from({ length: 50 }, (_, n) => [
    store.runs.accept(sampleRun()),
    beside.signIns.put({ ...link, hash: String(n) }, 0)
  ])
  await Promise.all(writes.flat())
  await beside.close()
  assert.equal((await store.runs.list({ limit: 100 })).runs.length, 50)
})

test('a folder without a store, or with one of another version, is refused and says what to do', async (t) => {
  const empty = await folderFor(t)
  assert.throws(() => openCommandStore(empty), /There is no store in .* Start Millrace first/)
  const { store, folder } = await openFor(t)
  await store.close()
  const db = new DatabaseSync(join(folder, 'millrace.db'))
  db.exec('PRAGMA user_version = 99')
  db.close()
  assert.throws(() => openCommandStore(folder), /another version/)
})
