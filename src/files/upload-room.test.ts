import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleFile, sampleRun } from '../store/contract/subject.test-kit.ts'
import { openFor } from '../store/sqlite/sqlite-subject.test-kit.ts'
import { UploadRoom } from './upload-room.ts'

const ANN = { uploadedBy: 'ann', context: '/sales' }
const BOB = { uploadedBy: 'bob', context: '/sales' }
const full = { code: 'uploads_limited', status: 429, message: /20 MB|1000 of them/ }

describe('room for uploads', () => {
  it('is bounded by what no run names yet, for each key', async (t) => {
    const { store } = await openFor(t)
    const room = new UploadRoom({ store: store.files, limit: 1024 ** 2 })
    const files = []
    for (let n = 0; n < 20; n++) {
      const file = sampleFile({ ...ANN, size: 1024 ** 2 })
      files.push(file)
      await room.whileTaken(ANN, file.size, () => store.files.add(file, 1000))
    }
    await assert.rejects(
      room.whileTaken(ANN, 1, () => assert.fail('it was let in')),
      full
    )
    assert.equal(await room.whileTaken(BOB, 1, async () => 'of another'), 'of another')
    await store.runs.accept(sampleRun({ uses: [files[0]!.id] }))
    await room.whileTaken(ANN, 1, async () => {})
  })

  it('counts uploads that are under way, until they end, however they do', async (t) => {
    const { store } = await openFor(t)
    const room = new UploadRoom({ store: store.files, limit: 1_000 })
    const { promise, reject } = Promise.withResolvers<void>()
    const slow = Array.from({ length: 20 }, () => room.whileTaken(ANN, 1_000, () => promise))
    await assert.rejects(
      room.whileTaken(ANN, 1, async () => {}),
      { code: 'uploads_limited' }
    )
    reject(new Error('the sender has gone'))
    for (const upload of await Promise.allSettled(slow)) assert.equal(upload.status, 'rejected')
    await room.whileTaken(ANN, 1_000, async () => {})
  })

  it('is bounded for a context, too: more keys get no more', async (t) => {
    const { store } = await openFor(t)
    const room = new UploadRoom({ store: store.files, limit: 1_000 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const taken = Array.from({ length: 100 }, (_, n) =>
      room.whileTaken({ uploadedBy: `key-${n}`, context: '/sales' }, 1_000, () => promise)
    )
    await assert.rejects(
      room.whileTaken(BOB, 1, async () => {}),
      /in this context wait for a run/
    )
    await room.whileTaken({ ...BOB, context: '/other' }, 1, async () => {})
    resolve()
    await Promise.all(taken)
  })
})
