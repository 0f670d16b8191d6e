import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { it, type TestContext } from 'node:test'
import { cleanUp } from '../../test/support/clean-up.ts'
import { contentDigestOf } from './content-digest.test-kit.ts'
import { copyFiles } from './copy-files.ts'
import { newName } from './file-place.test-kit.ts'
import { createFolderPlace } from './folder-place.ts'

async function placeFor(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-copy-'))
  cleanUp(t, () => rm(folder, { recursive: true }))
  return { place: createFolderPlace(folder), pathOf: (name: string) => join(folder, name.slice(0, 2), name) }
}

it('files are copied whole or not at all, and a copy goes on where it was cut off', async (t) => {
  const [source, target] = [await placeFor(t), await placeFor(t)]
  const files = []
  for (let n = 0; n < 6; n++) {
    const [name, bytes] = [newName(), randomBytes(100_000)]
    await source.place.write(name, Readable.from([bytes]))
    files.push({
      name,
      size: bytes.length,
      digest: contentDigestOf(bytes)
    })
  }
  const [whole, cut, missing, shorter, other, longer] = files
  const from = source.place
  const to = target.place
  await copyFiles({ from, to, files: [whole!, cut!] })
  await truncate(target.pathOf(cut!.name), 5_000)
  await rm(source.pathOf(missing!.name))
  await truncate(source.pathOf(shorter!.name), 99_999)
  await writeFile(source.pathOf(other!.name), randomBytes(100_000))
  await writeFile(
    source.pathOf(longer!.name),
    Buffer.concat([await readFile(source.pathOf(longer!.name)), Buffer.from('x')])
  )
  let told = 0
  const done = await copyFiles({ from, to, files, onFile: () => told++ })
  const lost = [missing!, shorter!, other!, longer!].map(({ name }) => name)
  assert.deepEqual(done, { copied: 1, found: 1, bytes: 200_000, lost })
  assert.equal(told, 6)
  const names = (await Array.fromAsync(to.names())).map(({ name }) => name)
  assert.deepEqual(names.sort(), [whole!.name, cut!.name].sort(), 'nothing of the others')
  const copied = await buffer(await to.read(cut!.name))
  assert.ok(copied.equals(await readFile(source.pathOf(cut!.name))))
})
