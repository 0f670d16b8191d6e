import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillStore } from '../../copy/filled-store.test-kit.ts'
import { nextLine, startChild } from '../child-process.test-kit.ts'
import { databasePath } from '../file/database-file.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { folderFor, openFor } from '../sqlite-subject.test-kit.ts'
import { backUpStore } from './back-up-store.ts'

const nothing = { before: async () => {}, after: async () => undefined }

test('a backup that is made while another process writes holds all that was promised before', async (t) => {
  const folder = await folderFor(t)
  const child = startChild(t, 'load', folder)
  const promised: string[] = []
  while (promised.length < 500) {
    const [what, id] = (await nextLine(child)).split(' ')
    if (what === 'accepted') promised.push(id!)
  }
  const file = join(await folderFor(t), 'copy.db')
  const { runs, bytes } = await backUpStore(folder, file, nothing)
  await child.kill()
  assert.ok(runs >= promised.length)
  assert.equal(bytes, statSync(file).size)
  assert.equal(statSync(file).mode & 0o777, 0o600, 'for the owner only')

  const restored = await folderFor(t)
  await copyFile(file, databasePath(restored))
  const store = await openSqliteStore({ folder: restored })
  t.after(() => store.close())
  assert.equal(store.isNew, false)
  for (const id of promised) assert.ok(await store.runs.get(id), `${id} is missing`)
  await store.probe()
})

test('a backup is the whole store', async (t) => {
  const { store, folder } = await openFor(t)
  await fillStore(store, 100)
  const target = await folderFor(t)
  const { flows, runs } = await backUpStore(folder, databasePath(target), nothing)
  assert.deepEqual({ flows, runs }, { flows: 4, runs: 100 })
  const restored = await openSqliteStore({ folder: target })
  assert.equal(await restored.signIns.secret('another'), 'the secret of sessions')
  assert.deepEqual(await restored.runs.changes(null, 0, 10_000), await store.runs.changes(null, 0, 10_000))
  assert.equal(await restored.runs.lastChange(), await store.runs.lastChange())
  await restored.close()
})

test('a backup overwrites nothing, and leaves nothing half-written', async (t) => {
  const { folder } = await openFor(t)
  const target = await folderFor(t)
  const file = join(target, 'mine')
  writeFileSync(file, 'mine')
  await assert.rejects(backUpStore(folder, file, nothing), {
    code: 'copy_refused',
    message: /stays as it is/
  })
  await assert.rejects(backUpStore(folder, join(file, 'below'), nothing), { code: 'copy_refused' })
  await assert.rejects(backUpStore(target, join(target, 'copy.db'), nothing), { code: 'config_invalid' })
  writeFileSync(join(target, 'millrace.db'), 'no database\n'.repeat(1_000))
  await assert.rejects(backUpStore(target, join(target, 'copy.db'), nothing), { code: 'copy_refused' })
  assert.deepEqual(readdirSync(target).sort(), ['millrace.db', 'mine'])
})
