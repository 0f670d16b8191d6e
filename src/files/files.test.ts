import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { it, type TestContext } from 'node:test'
import { cleanUp } from '../../test/support/clean-up.ts'
import { FILE_ID } from '../flows/file-value.ts'
import { Files, fileValue } from './files.ts'
import { createFolderPlace } from './folder-place.ts'

async function filesFor(test: TestContext, known: (names: readonly string[]) => string[] = () => []) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-files-'))
  cleanUp(test, () => rm(folder, { recursive: true }))
  const place = createFolderPlace(folder)
  const store = { knownNames: async (names: readonly string[]) => known(names) }
  const names = async () => (await Array.fromAsync(place.names())).map(({ name }) => name)
  return { files: new Files({ place, store, limit: 1_000 }), names }
}

const bytes = (text: string) => Readable.from([Buffer.from(text)])
const about = { filename: 'a.txt', contentType: 'text/plain', context: '/sales' }

it('keeps bytes under a name of their own each time, and lets them go', async (t) => {
  const { files, names } = await filesFor(t)
  const [one, other] = [await files.keep(bytes('same'), about), await files.keep(bytes('same'), about)]
  assert.match(one.id, FILE_ID)
  assert.equal(one.digest, other.digest)
  assert.notEqual(one.id, other.id)
  assert.deepEqual((await names()).sort(), [one.name, other.name].sort())
  assert.deepEqual(fileValue(one), { file: one.id, filename: 'a.txt', content_type: 'text/plain', size: 4 })
  await files.letGo([one, other])
  assert.deepEqual(await names(), [])
})

it('leaves nothing of a file that is too large', async (t) => {
  const { files, names } = await filesFor(t)
  await assert.rejects(files.keep(bytes('x'.repeat(1_001)), about), { code: 'file_too_large', status: 413 })
  assert.deepEqual(await names(), [])
  assert.equal((await files.keep(bytes('x'.repeat(1_000)), about)).size, 1_000)
})

it('removes bytes that were stored before by another file', async (t) => {
  const first: string[] = []
  const { files, names } = await filesFor(t, (asked) => asked.filter((name) => first.includes(name)))
  const [one, other] = [await files.keep(bytes('same'), about), await files.keep(bytes('same'), about)]
  first.push(one.name)
  await files.stored([one, other])
  assert.deepEqual(await names(), [one.name])
})

it('takes the last part of a path as a name, and no type that cannot stand in a header', async (t) => {
  const { files } = await filesFor(t)
  const kept = async (filename: string, contentType = '') => {
    const file = await files.keep(bytes(''), { ...about, filename, contentType })
    return [file.filename, file.contentType]
  }
  const rows: [sent: string[], stored: string[]][] = [
    [
      ['C:\\docs\\r\u00e9sum\u00e9.pdf', 'application/pdf'],
      ['r\u00e9sum\u00e9.pdf', 'application/pdf']
    ],
    [
      ['../../etc/passwd', 'text/plain; charset=utf-8'],
      ['passwd', 'text/plain; charset=utf-8']
    ],
    [
      ['..', 'text/html\r\nset-cookie: a=b'],
      ['', 'application/octet-stream']
    ],
    [
      ['in\u202efdp.exe\u0000\r\n', 'pdf'],
      ['infdp.exe', 'application/octet-stream']
    ],
    [
      [`${'n'.repeat(300)}.csv`, 'text/csv'],
      [`${'n'.repeat(251)}.csv`, 'text/csv']
    ]
  ]
  for (const [sent, stored] of rows) assert.deepEqual(await kept(...(sent as [string, string])), stored)
})
