import assert from 'node:assert/strict'
import type { Store } from '../store.ts'
import {
  acceptAndEnd,
  acceptMany,
  listedIds,
  newStoreTest,
  type OpenSubject,
  sampleMessage,
  sampleOutcome,
  sampleRun
} from './subject.test-kit.ts'

async function endedAt(store: Store, ...moments: number[]): Promise<string[]> {
  const ids: string[] = []
  for (const at of moments) ids.push((await acceptAndEnd(store, { createdAt: at }, { finishedAt: at })).id)
  return ids
}

export function pruneContract(open: OpenSubject): void {
  ruleContract(open)
  remainsContract(open)
}

function ruleContract(open: OpenSubject): void {
  newStoreTest(open, 'by age: ended runs that ended before the moment go', async ({ store, reopen }) => {
    const ids = await endedAt(store, 1000, 2000, 3000, 4000)
    assert.equal(await store.runs.prune({ endedBefore: 3000, slice: 10 }), 2)
    assert.equal(await store.runs.prune({ endedBefore: 3000, slice: 10 }), 0)
    assert.deepEqual(await listedIds(await reopen()), [ids[3], ids[2]])
  })

  newStoreTest(open, 'by age: the moment counts and not the order', async ({ store }) => {
    const ids = await endedAt(store, 9000, 1000, 5000, 2000, 8000)
    assert.equal(await store.runs.prune({ endedBefore: 5000, slice: 1 }), 1)
    assert.equal(await store.runs.prune({ endedBefore: 5000, slice: 10 }), 1)
    assert.deepEqual(await listedIds(store), [ids[4], ids[2], ids[0]])
  })

  newStoreTest(
    open,
    'by age and by number: one that waited for long stays as long as one that did not',
    async ({ store }) => {
      const [waited] = await acceptMany(store, 1, { createdAt: 1000 })
      await store.runs.park(waited!, '"wait"', null)
      const [, last] = await endedAt(store, 2000, 9000)
      await store.runs.end(waited!, sampleOutcome({ finishedAt: 9500 }))
      const rule = { endedBefore: 5000, keep: 2, slice: 10 }
      assert.equal(await store.runs.prune(rule), 1)
      assert.equal(await store.runs.prune(rule), 0)
      assert.deepEqual(await listedIds(store), [last, waited!.id])
      assert.equal(await store.runs.prune({ keep: 1, slice: 10 }), 1)
      assert.deepEqual(await listedIds(store), [waited!.id])
      assert.equal(await store.runs.prune({ endedBefore: 9501, slice: 10 }), 1)
    }
  )

  newStoreTest(open, 'by number: only the newest stay', async ({ store }) => {
    const ids = await endedAt(store, 1, 2, 3, 4, 5)
    assert.equal(await store.runs.prune({ keep: 2, slice: 10 }), 3)
    assert.deepEqual(await listedIds(store), [ids[4], ids[3]])
    const later = await endedAt(store, 6)
    assert.equal(await store.runs.prune({ keep: 2, slice: 10 }), 1)
    assert.deepEqual(await listedIds(store), [later[0], ids[4]])
    assert.equal(await store.runs.prune({ keep: 9, slice: 10 }), 0)
  })

  newStoreTest(open, 'the number of ended runs follows reopening', async ({ store }) => {
    const [a, b, c] = await acceptMany(store, 3)
    for (const run of [a!, b!, c!]) await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    assert.equal(await store.runs.prune({ keep: 3, slice: 10 }), 0)
    await store.runs.reopen(a!, '"again"')
    assert.equal(await store.runs.prune({ keep: 2, slice: 10 }), 0)
    await store.runs.end(a!, sampleOutcome())
    assert.equal(await store.runs.prune({ keep: 2, slice: 10 }), 1)
    assert.deepEqual(await listedIds(store), [c!.id, a!.id])
  })

  newStoreTest(open, 'both rules together: a run goes when either says so', async ({ store }) => {
    const ids = await endedAt(store, 1000, 2000, 3000, 4000, 5000)
    assert.equal(await store.runs.prune({ keep: 4, endedBefore: 3500, slice: 10 }), 3)
    assert.deepEqual(await listedIds(store), [ids[4], ids[3]])
  })

  newStoreTest(open, 'a slice takes the oldest, and no more than it may', async ({ store }) => {
    const ids = await endedAt(store, 1, 2, 3, 4, 5)
    assert.equal(await store.runs.prune({ keep: 1, endedBefore: 5, slice: 3 }), 3)
    assert.deepEqual(await listedIds(store), [ids[4], ids[3]])
    assert.equal(await store.runs.prune({ keep: 1, endedBefore: 5, slice: 3 }), 1)
    assert.equal(await store.runs.prune({ slice: 3 }), 0)
  })
}

function remainsContract(open: OpenSubject): void {
  newStoreTest(open, 'open runs are never deleted, whatever their age', async ({ store }) => {
    const [waiting, parked, reopened] = await acceptMany(store, 3, { createdAt: 1 })
    await store.runs.park(parked!, '"wait"', 5000)
    await store.runs.end(reopened!, sampleOutcome({ status: 'failed' }))
    await store.runs.reopen(reopened!, '"again"')
    await endedAt(store, 1)
    assert.equal(await store.runs.prune({ keep: 0, endedBefore: 9000, slice: 10 }), 1)
    assert.deepEqual(await listedIds(store), [reopened!.id, parked!.id, waiting!.id])
    assert.deepEqual((await store.runs.get(parked!.id))?.journal, ['"wait"'])
    assert.deepEqual(await store.runs.backlog(), new Map([['flow-a', 2]]))
  })

  newStoreTest(
    open,
    'all that belongs to a deleted run goes with it, and nothing else',
    async ({ store }) => {
      const ended = []
      for (const text of ['gone', 'stays']) {
        const run = await store.runs.accept(sampleRun())
        await store.runs.checkpoint(run, `"${text}"`)
        await store.runs.end(run, sampleOutcome({ messages: [sampleMessage({ text })] }))
        ended.push(run)
      }
      const last = await store.runs.lastChange()
      assert.equal(await store.runs.prune({ keep: 1, slice: 10 }), 1)
      assert.equal(await store.runs.get(ended[0]!.id), undefined)
      assert.equal((await store.runs.get(ended[1]!.id))?.journal.length, 1)
      const messages = (await store.messages.list({ flowId: 'flow-a', limit: 10 })).messages
      assert.deepEqual(
        messages.map((message) => message.text),
        ['stays']
      )
      const changes = await store.runs.changes(['flow-a'], 0, 10)
      assert.deepEqual(
        changes.map((change) => change.kind),
        ['accepted', 'journal', 'ended']
      )
      assert.equal(await store.runs.lastChange(), last)
    }
  )

  newStoreTest(open, 'a deleted run has ended for good', async ({ store }) => {
    const run = await acceptAndEnd(store, {}, { status: 'failed' })
    await store.runs.prune({ keep: 0, slice: 10 })
    assert.equal(await store.runs.reopen(run, '"again"'), null)
    assert.equal(await store.runs.end(run, sampleOutcome()), null)
    assert.equal(await store.runs.checkpoint(run, '"x"'), null)
  })
}
