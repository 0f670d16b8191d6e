import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { acceptMany } from '../../contract/subject.test-kit.ts'
import type { Finding } from '../../finding.ts'
import { databasePath } from '../file/database-file.ts'
import { folderFor, openFor } from '../sqlite-subject.test-kit.ts'
import { examineSqliteStore } from './examine-store.ts'

const GB = 1024 ** 3
const plenty = () => 50 * GB

test('a store is sound, while a service runs on it and after', async (t) => {
  const { store, folder } = await openFor(t)
  await acceptMany(store, 50)
  const running = examineSqliteStore({ folder, freeBytes: plenty })
  assert.deepEqual(verdicts(running), {
    folder: 'ok',
    'disk space': 'ok',
    'file rights': 'ok',
    lock: 'ok',
    schema: 'ok',
    integrity: 'ok'
  })
  assert.match(saysOf(running, 'lock'), new RegExp(`held by process ${process.pid} `))
  await store.close()
  const files = readdirSync(folder).sort()
  assert.match(saysOf(examineSqliteStore({ folder, freeBytes: plenty }), 'lock'), /free/)
  assert.deepEqual(readdirSync(folder).sort(), files, 'nothing is left behind')
})

test('a store that is not there yet is not a fault', async (t) => {
  const folder = join(await folderFor(t), 'deep', 'down')
  const findings = examineSqliteStore({ folder, freeBytes: plenty })
  assert.deepEqual(verdicts(findings), { store: 'ok', folder: 'ok', 'disk space': 'ok' })
})

test('a folder that cannot be written is a fault', async (t) => {
  const { store, folder } = await openFor(t)
  await store.close()
  chmodSync(folder, 0o555)
  const findings = asOrdinaryUser(() => examineSqliteStore({ folder, freeBytes: plenty }))
  const found = findings.find(({ check }) => check === 'folder')!
  assert.equal(found.verdict, 'fault')
  assert.match(found.remedy!, /right to write/)
})

test('files that others may read are told of, and are a fault where others can get at them', async (t) => {
  const { store, folder } = await openFor(t)
  await store.close()
  chmodSync(databasePath(folder), 0o644)
  writeFileSync(join(folder, 'yesterday.db'), 'a backup')
  chmodSync(join(folder, 'yesterday.db'), 0o604)
  const rights = () =>
    examineSqliteStore({ folder, freeBytes: plenty }).find(({ check }) => check === 'file rights')!
  assert.equal(rights().verdict, 'warning')
  chmodSync(folder, 0o755)
  assert.equal(rights().verdict, 'fault')
  assert.match(rights().says, /millrace\.db, yesterday\.db/)
  assert.match(rights().remedy!, /chmod 600 .*millrace\.db .*yesterday\.db/)
})

test('a store that is lost is a fault, and not one that is new', async (t) => {
  const folder = await folderFor(t)
  const found = () =>
    examineSqliteStore({ folder, freeBytes: plenty }).find(({ check }) => check === 'database file')!
  writeFileSync(databasePath(folder), '')
  assert.deepEqual([found().verdict, /is empty/.test(found().says)], ['fault', true])
  rmSync(databasePath(folder))
  writeFileSync(`${databasePath(folder)}-wal`, 'what was committed last')
  assert.deepEqual([found().verdict, /is missing/.test(found().says)], ['fault', true])
})

test('little room on the disk is told of before it is a fault', async (t) => {
  const folder = await folderFor(t)
  const at = (bytes: number) => verdicts(examineSqliteStore({ folder, freeBytes: () => bytes }))['disk space']
  assert.deepEqual([at(5 * GB), at(0.5 * GB), at(0.01 * GB)], ['ok', 'warning', 'fault'])
  assert.match(saysOf(examineSqliteStore({ folder }), 'disk space'), /^[\d,]+ MB free/)
})

test('a newer schema is a fault, an older one a warning', async (t) => {
  const { store, folder } = await openFor(t)
  await store.close()
  const schemaAt = (version: number) => {
    const db = new DatabaseSync(databasePath(folder))
    db.exec(`PRAGMA user_version = ${version}`)
    db.close()
    return verdicts(examineSqliteStore({ folder, freeBytes: plenty })).schema
  }
  assert.deepEqual([schemaAt(999), schemaAt(0)], ['fault', 'warning'])
})

test('a damaged database is a fault, and so is a file that is none', async (t) => {
  const { store, folder } = await openFor(t)
  await acceptMany(store, 500, { input: Buffer.alloc(2_000, 'x') })
  await store.close()
  const path = databasePath(folder)
  const bytes = readFileSync(path)
  bytes.fill(0xff, 4096 * 20, 4096 * 60)
  writeFileSync(path, bytes)
  const findings = examineSqliteStore({ folder, freeBytes: plenty })
  assert.match(findings.find(({ verdict }) => verdict === 'fault')!.remedy!, /restore a backup/)
  writeFileSync(path, 'no database\n'.repeat(1_000))
  assert.equal(verdicts(examineSqliteStore({ folder, freeBytes: plenty }))['database file'], 'fault')
})

function verdicts(findings: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]))
}

function saysOf(findings: readonly Finding[], check: string): string {
  return findings.find((finding) => finding.check === check)!.says
}

/** Root may write everywhere. */
function asOrdinaryUser<T>(body: () => T): T {
  if (process.getuid?.() !== 0) return body()
  process.seteuid?.(65534)
  try {
    return body()
  } finally {
    process.seteuid?.(0)
  }
}
