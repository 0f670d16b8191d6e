import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { examine, hasFault, reportOf } from '../src/cli/doctor.ts'
import { createDatabasePlace } from '../src/files/database-place.ts'
import { createFolderPlace } from '../src/files/folder-place.ts'
import { acceptWithFile } from '../src/files/stored-files.test-kit.ts'
import { readConfig } from '../src/startup/config.ts'
import { sampleKey } from '../src/store/contract/subject.test-kit.ts'
import { ok } from '../src/store/finding.ts'
import { openPostgresStore } from '../src/store/postgres/open-postgres-store.ts'
import { makeFolder } from '../src/store/sqlite/file/make-folder.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { cleanUp } from './support/clean-up.ts'
import { runMillrace } from './support/millrace-command.ts'
import { sharedPostgres } from './support/postgres.ts'
import { temporaryFolder } from './support/service.ts'

const postgres = sharedPostgres()

describe('millrace doctor', () => {
  it('says of every part that it is sound, in a line each, and ends with 0', async (t) => {
    const home = await temporaryFolder(t)
    const { code, stdout, stderr } = await runMillrace(t, ['doctor'], { env: { MILLRACE_HOME: home } })
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^ok {7}node {11}Node 24\.\d+\.\d+$/m)
    assert.match(stdout, /^ok {7}folder {9}\S+ can be written$/m)
    assert.doesNotMatch(stdout, /^fault/m)
  })

  it('ends with 1 on a fault, names the remedy, and speaks JSON', async (t) => {
    const env = { DATABASE_URL: 'postgres://millrace:hunter2secret@127.0.0.1:1/none' }
    const { code, stdout } = await runMillrace(t, ['doctor', '--json'], { env })
    assert.equal(code, 1)
    const { ok, findings } = JSON.parse(stdout)
    assert.equal(ok, false)
    const { check, verdict, says, remedy } = findings.at(-1)
    assert.deepEqual([check, verdict], ['connection', 'fault'])
    assert.match(says, /nobody answers/)
    assert.match(says, /correct DATABASE_URL/)
    assert.match(remedy, /run doctor again/)
    assert.ok(!stdout.includes('hunter2secret'), 'no password')
  })

  it('says where files are, how many, and whose bytes are not there', async (t) => {
    const home = await temporaryFolder(t)
    const store = await openSqliteStore({ folder: home })
    makeFolder(join(home, 'files'))
    const place = createFolderPlace(join(home, 'files'))
    const examined = async (now = Date.now) => {
      const findings = await examine({
        node: '24.1.0',
        now,
        configuration: () => readConfig({ MILLRACE_HOME: home }, () => '')
      })
      return findings.at(-1)!
    }
    await acceptWithFile(store, place, randomBytes(3_000_000))
    const { file } = await acceptWithFile(store, place, Buffer.from('lost'))
    await place.write('f'.repeat(32), Readable.from([Buffer.from('left over')]))
    assert.deepEqual(await examined(), ok('files', `2 files, 3 MB, in ${join(home, 'files')}`))
    const later = await examined(() => Date.now() + 90_000_000)
    assert.match(later.says, /; 1 left over, which a service removes within hours$/)
    await place.remove(file.name)
    const { verdict, says, remedy } = await examined()
    assert.equal(verdict, 'fault')
    assert.equal(
      says,
      `of 2 files, 3 MB, in ${join(home, 'files')}: the bytes of 1 file are not there (${file.name})`
    )
    assert.match(remedy!, /MILLRACE_FILES and MILLRACE_HOME .* backup/)
    await store.close()
  })

  it('looks at PostgreSQL where that is the store, and at what the environment says', async (t) => {
    const url = await postgres.database()
    const patient = { node: '26.1.0', now: Date.now }
    const findings = await examine({
      ...patient,
      configuration: () => readConfig({ DATABASE_URL: url, MILLRACE_ROLE: 'worker' }, () => '')
    })
    assert.equal(hasFault(findings), false, reportOf(findings))
    assert.match(
      reportOf(findings),
      /^warning {2}node .*26\.1\.0[^\n]*\nok {7}configuration {2}PostgreSQL, role worker$/m
    )
    const store = await openPostgresStore({ url, processId: 'test' })
    cleanUp(t, () => store.close())
    await acceptWithFile(store, createDatabasePlace(store.fileParts), Buffer.from('a file'))
    const [files] = (
      await examine({ ...patient, configuration: () => readConfig({ DATABASE_URL: url }, () => '') })
    ).slice(-1)
    assert.deepEqual(files, ok('files', '1 file, 1 MB, in the database'))
    const wrong = await examine({
      ...patient,
      node: '22.12.0',
      configuration: () => readConfig({ PORT: 'x' }, () => '')
    })
    assert.deepEqual(
      wrong.map(({ check, verdict }) => `${check} ${verdict}`),
      ['node fault', 'configuration fault']
    )
  })
  it('says where no key is left that may make keys, on either store', async (t) => {
    const home = await temporaryFolder(t)
    const url = await postgres.database()
    const stores = [
      { env: { MILLRACE_HOME: home }, store: await openSqliteStore({ folder: home }) },
      { env: { DATABASE_URL: url }, store: await openPostgresStore({ url, processId: 'a' }) }
    ]
    for (const { env, store } of stores) {
      const look = async (more = {}) => {
        const configuration = () => readConfig({ ...env, ...more }, () => '')
        const findings = await examine({ node: '24.0.0', now: () => 2_000, configuration })
        const { verdict, says, remedy } = findings.find(({ check }) => check === 'API keys')!
        return `${verdict}: ${says}. ${remedy ?? ''}`
      }
      assert.match(await look(), /^ok: there is none; the next start makes one/)
      await store.keys.put(sampleKey({ rights: ['read'] }))
      await store.keys.put(sampleKey({ rights: ['admin'], flowId: null, context: null, expiresAt: 2_000 }))
      assert.match(await look(), /^warning: none of 2 .*nobody can make keys\. Set MILLRACE_API_KEY/)
      assert.match(await look({ MILLRACE_API_KEY: 'a-long-random-text-0123456789' }), /^ok: MILLRACE_API_KEY/)
      await store.keys.put(sampleKey({ rights: ['admin'], flowId: null, context: null, expiresAt: 2_001 }))
      assert.match(await look(), /^ok: 1 of 3 may manage all keys/)
      await store.close()
    }
  })
})
