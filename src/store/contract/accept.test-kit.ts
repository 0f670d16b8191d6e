import assert from 'node:assert/strict'
import {
  acceptAndEnd,
  acceptMany,
  beforeAndAfterRestart,
  newStoreTest,
  type OpenSubject,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function acceptContract(open: OpenSubject): void {
  newStoreTest(open, 'a new store says so, and only once', async ({ store, reopen }) => {
    assert.equal(store.isNew, true)
    assert.equal(await store.runs.lastChange(), 0)
    assert.equal((await reopen()).isNew, false)
  })

  storeTest(open, 'a run is kept as it was given, byte for byte', async (subject) => {
    const { store } = subject
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const given = sampleRun({
      flowVersion: 3,
      session: 'Gespräch 🙂',
      input: every,
      request: '{"ip":"::1"}',
      replayOf: 'an-older-run',
      context: '/sales'
    })
    const { seq, ...rest } = await store.runs.accept(given)
    assert.deepEqual(rest, given)
    const expected = { ...given, seq, outcome: null, journal: [] }
    for await (const each of beforeAndAfterRestart(subject)) {
      const found = await each.runs.get(given.id)
      assert.deepEqual({ ...found, input: Uint8Array.from(found!.input) }, expected)
    }
  })

  storeTest(open, 'an empty body and a part of a larger buffer are kept', async ({ store }) => {
    const empty = await store.runs.accept(sampleRun({ input: new Uint8Array() }))
    const part = await store.runs.accept(sampleRun({ input: Buffer.from('hello world').subarray(6) }))
    assert.equal((await store.runs.get(empty.id))?.input.byteLength, 0)
    assert.equal(Buffer.from((await store.runs.get(part.id))!.input).toString(), 'world')
  })

  storeTest(open, 'an unknown id finds nothing', async ({ store }) => {
    assert.equal(await store.runs.get('nobody'), undefined)
  })

  storeTest(open, 'numbers rise in the order in which runs were handed in', async ({ store }) => {
    const runs = await acceptMany(store, 50)
    const numbers = runs.map((run) => run.seq)
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b)
    )
    assert.equal(new Set(numbers).size, 50)
    assert.equal(await store.runs.lastChange(), numbers.at(-1))
  })

  storeTest(open, 'nothing that was accepted is lost by a restart', async ({ store, reopen }) => {
    const runs = await acceptMany(store, 120)
    const again = await reopen()
    for (const run of runs) assert.equal((await again.runs.get(run.id))?.seq, run.seq)
    assert.equal(await again.runs.lastChange(), runs.at(-1)!.seq)
    assert.deepEqual(await again.runs.backlog(), new Map([['flow-a', 120]]))
  })

  storeTest(
    open,
    'a number is never given twice, even when every run is deleted',
    async ({ store, reopen }) => {
      await acceptAndEnd(store)
      const last = await store.runs.lastChange()
      assert.equal(await store.runs.prune({ keep: 0, slice: 10 }), 1)
      const again = await reopen()
      assert.equal(await again.runs.lastChange(), last)
      assert.ok((await again.runs.accept(sampleRun())).seq > last)
    }
  )

  storeTest(open, 'an id that exists is refused, and nobody else is', async ({ store }) => {
    const first = await store.runs.accept(sampleRun())
    const [before, twin, after] = await Promise.allSettled([
      store.runs.accept(sampleRun()),
      store.runs.accept(sampleRun({ id: first.id, flowId: 'flow-b' })),
      store.runs.accept(sampleRun())
    ])
    assert.deepEqual([before.status, twin.status, after.status], ['fulfilled', 'rejected', 'fulfilled'])
    assert.deepEqual(await store.runs.backlog(), new Map([['flow-a', 3]]))
    assert.equal((await store.runs.get(first.id))?.flowId, 'flow-a')
  })

  newStoreTest(open, 'probing and closing', async ({ store }) => {
    await store.probe()
    const accepted = store.runs.accept(sampleRun())
    await store.close()
    await accepted
    await store.close()
    await assert.rejects(store.runs.accept(sampleRun()), { code: 'store_unwritable' })
    await assert.rejects(store.probe(), { code: 'store_unwritable' })
  })
}
