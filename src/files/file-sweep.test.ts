import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { cleanUp } from '../../test/support/clean-up.ts'
import { sampleFile, sampleOutcome, sampleRun } from '../store/contract/subject.test-kit.ts'
import { openFor } from '../store/sqlite/sqlite-subject.test-kit.ts'
import { newName } from './file-place.test-kit.ts'
import { FileSweep, UNNAMED_FOR_MS } from './file-sweep.ts'
import { createFolderPlace } from './folder-place.ts'

async function make(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-sweep-'))
  cleanUp(t, () => rm(folder, { recursive: true }))
  const { store } = await openFor(t)
  const place = createFolderPlace(folder)
  const clock = { shift: 0 }
  const sweep = new FileSweep({ store: store.files, place, now: () => Date.now() + clock.shift })
  const write = async (name = newName()) => {
    await place.write(name, Readable.from([Buffer.from(name)]))
    return name
  }
  const left = async () => (await Array.fromAsync(place.names())).map(({ name }) => name).sort()
  return { store, place, sweep, write, left, clock }
}

describe('sweeping files', () => {
  it('takes what no run names after a day, and its bytes', async (t) => {
    const { store, sweep, write, left, clock } = await make(t)
    const [named, loose] = [sampleFile({ name: await write() }), sampleFile({ name: await write() })]
    const run = await store.runs.accept(sampleRun({ files: [named], createdAt: Date.now() }))
    await store.files.add({ ...loose, uploadedBy: 'key-1' }, Date.now())
    assert.equal(await sweep.unnamed(10), 0)
    clock.shift = UNNAMED_FOR_MS + 1_000
    assert.equal(await sweep.unnamed(10), 1)
    assert.deepEqual(await left(), [named.name])
    await store.runs.end(run, sampleOutcome())
    await store.runs.prune({ keep: 0, slice: 10 })
    assert.equal(await sweep.unnamed(10), 1)
    assert.deepEqual(await left(), [])
  })

  it('takes bytes that no row names after a day, a slice at a time', async (t) => {
    const { store, sweep, write, left, clock } = await make(t)
    const known = await write()
    await store.runs.accept(sampleRun({ files: [sampleFile({ name: known })] }))
    for (let n = 0; n < 24; n++) await write()
    assert.deepEqual([await sweep.strays(20), await sweep.strays(20)], [20, 5])
    assert.equal((await left()).length, 25, 'they may be of uploads under way')
    clock.shift = UNNAMED_FOR_MS + 1_000
    assert.equal(await sweep.strays(20), 20)
    assert.ok((await left()).length <= 6)
    assert.equal(await sweep.strays(20), 5)
    assert.deepEqual(await left(), [known])
  })

  it('leaves to the next sweep what cannot be removed now', async (t) => {
    const { store, place, write, left, clock } = await make(t)
    const names = [await write(), await write(), await write()]
    let isAway = true
    const moody = {
      ...place,
      remove: (name: string) =>
        isAway && name === names[0] ? Promise.reject(new Error('away')) : place.remove(name)
    }
    const sweep = new FileSweep({ store: store.files, place: moody, now: () => Date.now() + clock.shift })
    for (const name of names) await store.files.add(sampleFile({ name, uploadedBy: 'key-1' }), Date.now())
    clock.shift = UNNAMED_FOR_MS + 1_000
    await assert.rejects(sweep.unnamed(10), /away/)
    assert.deepEqual(await left(), [names[0]])
    isAway = false
    await sweep.strays(10)
    assert.deepEqual(await left(), [])
  })
})
