import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { it, type TestContext } from 'node:test'
import { cleanUp } from '../../test/support/clean-up.ts'
import { filePlaceContract, newName } from './file-place.test-kit.ts'
import { createFolderPlace } from './folder-place.ts'

async function folderFor(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-files-'))
  cleanUp(test, () => rm(folder, { recursive: true }))
  return folder
}

filePlaceContract('a folder', async (test) => createFolderPlace(await folderFor(test)))

it('a folder of files is for its owner alone, and never written twice by one name', async (t) => {
  const folder = await folderFor(t)
  const place = createFolderPlace(folder)
  const name = newName()
  await place.write(name, Readable.from([Buffer.from('first')]))
  await assert.rejects(place.write(name, Readable.from([Buffer.from('second')])), { code: 'EEXIST' })
  assert.equal(String(await buffer(await place.read(name))), 'first')
  const path = join(folder, name.slice(0, 2))
  assert.deepEqual(await readdir(path), [name])
  assert.equal((await stat(path)).mode & 0o777, 0o700)
  assert.equal((await stat(join(path, name))).mode & 0o777, 0o600)
})
