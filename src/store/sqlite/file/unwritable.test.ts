import assert from 'node:assert/strict'
import { chmodSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { acceptMany, sampleRun } from '../../contract/subject.test-kit.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { folderFor, openFor } from '../sqlite-subject.test-kit.ts'
import { isStoreFault, storeUnwritable } from './unwritable.ts'

const withCode = (errcode: number) => Object.assign(new Error('from SQLite'), { errcode })

test('the message says what is wrong and what to do', () => {
  const cases: [number, RegExp][] = [
    [13, /disk is full\. Make room/],
    [8, /read-only\. Make the folder and its files writable/],
    [1544, /read-only/],
    [778, /I\/O error\. Check the disk/],
    [1034, /I\/O error/],
    [5, /another program is writing/],
    [11, /damaged\. Stop Millrace and restore/],
    [14, /cannot be opened/]
  ]
  for (const [errcode, words] of cases) {
    const error = storeUnwritable('/data', withCode(errcode))
    assert.match(error.message, words)
    assert.match(error.message, new RegExp(`/data.*code ${errcode}`))
    assert.ok(isStoreFault(withCode(errcode)))
  }
})

test('so it does for what the file system refuses, and what it does not know it passes on', () => {
  const refused = (code: string) => storeUnwritable('/data', Object.assign(new Error('from Node'), { code }))
  assert.match(refused('EROFS').message, /read-only.*from Node/)
  assert.match(refused('ENOSPC').message, /disk is full/)
  assert.equal(refused('EODD').message, 'The store in /data cannot be written: from Node.')
})

test('faults of one statement are not faults of the store', () => {
  for (const error of [withCode(1555), withCode(18), withCode(1), new TypeError('x'), 'x']) {
    assert.equal(isStoreFault(error), false)
  }
})

/** Root may write everywhere, so the test becomes somebody else for a moment. */
async function asOrdinaryUser<T>(act: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act()
  process.seteuid?.(65534)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

test('a folder that is read-only is refused at the start', async (t) => {
  const { store, folder } = await openFor(t)
  await store.close()
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444)
  chmodSync(folder, 0o555)
  await assert.rejects(
    asOrdinaryUser(() => openSqliteStore({ folder })),
    (error: Error & { code: string }) => {
      assert.equal(error.code, 'store_unwritable')
      assert.match(error.message, /read-only/)
      assert.ok(error.message.includes(folder))
      return true
    }
  )
})

test('a lock that cannot be written does not count as held', async (t) => {
  const { store, folder } = await openFor(t)
  await store.close()
  chmodSync(join(folder, 'lock.db'), 0o444)
  chmodSync(folder, 0o777)
  await assert.rejects(
    asOrdinaryUser(() => openSqliteStore({ folder })),
    { code: 'store_unwritable', message: /read-only/ }
  )
})

test('a folder that cannot be made is refused at the start', async (t) => {
  const folder = await folderFor(t)
  writeFileSync(join(folder, 'file'), '')
  await assert.rejects(openSqliteStore({ folder: join(folder, 'file', 'store') }), {
    code: 'store_unwritable',
    message: /the folder cannot be made\. Set MILLRACE_HOME/
  })
  await assert.rejects(openSqliteStore({ folder: join(folder, 'file') }), {
    code: 'store_unwritable',
    message: /a file has that name\. Set MILLRACE_HOME/
  })
})

test('a file that is no database is refused, and the lock is free again', async (t) => {
  const folder = await folderFor(t)
  writeFileSync(
    join(folder, 'millrace.db'),
    'this is not a database, it is a text of some length\n'.repeat(40)
  )
  for (let attempt = 0; attempt < 2; attempt++) {
    await assert.rejects(openSqliteStore({ folder }), {
      code: 'store_unwritable',
      message: /not a Millrace database/
    })
  }
})

for (const name of ['millrace.db', 'millrace.db-wal']) {
  test(`nothing is accepted into nowhere: ${name} is moved away, replaced, put back`, async (t) => {
    const told: string[] = []
    const { store, folder } = await openFor(t, { onUnwritable: ({ message }) => told.push(message) })
    await acceptMany(store, 2)
    const [path, aside] = [join(folder, name), join(folder, 'aside')]
    const refused = { code: 'store_unwritable', message: /was moved or deleted .* Put it back/ }
    renameSync(path, aside)
    await assert.rejects(store.runs.accept(sampleRun()), refused)
    await assert.rejects(store.probe(), refused)
    writeFileSync(path, 'another')
    await assert.rejects(store.runs.accept(sampleRun()), refused)
    assert.equal(told.length, 2, 'once for every batch, and not for a probe')
    renameSync(aside, path)
    await store.probe()
    await acceptMany(store, 1)
    assert.deepEqual(await store.runs.backlog(), new Map([['flow-a', 3]]), 'what was refused is not there')
  })
}
