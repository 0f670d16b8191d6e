import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { makeFolder } from './make-folder.ts'

describe('makeFolder', () => {
  const base = mkdtempSync(join(tmpdir(), 'millrace-folder-'))
  after(() => rmSync(base, { recursive: true }))

  it('makes what is missing, for its owner alone, and leaves what is there', () => {
    const folder = join(base, 'a', 'b')
    makeFolder(folder)
    makeFolder(folder)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  })

  it('throws where a file is in the way', () => {
    const file = join(base, 'file')
    writeFileSync(file, '')
    assert.throws(() => makeFolder(file), { code: 'EEXIST' })
    assert.throws(() => makeFolder(join(file, 'below')), /EEXIST|ENOTDIR/)
  })

  it('ends where the system has no folder to give', { skip: process.platform !== 'linux' }, async () => {
    assert.throws(() => makeFolder('/proc/millrace/home'), { code: 'ENOENT' })
    await assert.rejects(openSqliteStore({ folder: '/proc/millrace' }), { code: 'store_unwritable' })
  })
})
