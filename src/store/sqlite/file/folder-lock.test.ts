import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sampleRun } from '../../contract/subject.test-kit.ts'
import { nextLine, startChild } from '../child-process.test-kit.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { folderFor, openFor } from '../sqlite-subject.test-kit.ts'

function locked(folder: string, pid: number | undefined) {
  return (error: Error & { code: string }) => {
    assert.equal(error.code, 'store_locked')
    assert.ok(error.message.includes(folder))
    assert.ok(error.message.includes(`process ${pid} `), error.message)
    return true
  }
}

test('a second open in the same process is refused, until the first is closed', async (t) => {
  const { store, folder } = await openFor(t)
  await assert.rejects(openSqliteStore({ folder }), locked(folder, process.pid))
  // A refused attempt must not free the lock of the holder.
  await assert.rejects(openSqliteStore({ folder }), locked(folder, process.pid))
  await store.runs.accept(sampleRun())
  await store.close()
  const again = await openSqliteStore({ folder })
  assert.equal((await again.runs.backlog()).get('flow-a'), 1)
  await again.close()
})

test('a second process is refused, and gets the store at once when the first is killed', async (t) => {
  const folder = await folderFor(t)
  const child = startChild(t, 'hold', folder)
  assert.equal(await nextLine(child), 'open')
  await assert.rejects(openSqliteStore({ folder }), locked(folder, child.process.pid))
  await child.kill()
  const store = await openSqliteStore({ folder })
  await store.close()
})

test('backup tools can read the database while it is in use', async (t) => {
  const { store, folder } = await openFor(t)
  await store.runs.accept(sampleRun())
  const reader = new DatabaseSync(join(folder, 'millrace.db'), { readOnly: true })
  assert.equal(reader.prepare('SELECT count(*) AS n FROM runs').get()?.n, 1)
  await store.runs.accept(sampleRun())
  reader.close()
})

test('the folder is for its owner only', async (t) => {
  const parent = await folderFor(t)
  const folder = join(parent, 'deep', 'store')
  const store = await openSqliteStore({ folder })
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  await store.close()
})
