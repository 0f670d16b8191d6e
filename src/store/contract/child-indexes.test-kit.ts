import assert from 'node:assert/strict'
import type { ChildRules, NewChild } from '../children.ts'
import type { AcceptedRun, RunRef, Store } from '../store.ts'
import { sampleChild } from './sample-children.test-kit.ts'
import { type OpenSubject, sampleOutcome, sampleRun, storeTest } from './subject.test-kit.ts'

const RULES: ChildRules = { atOnce: 2, stopsOnFailure: false }
const ALL = { runs: 1_000, bytes: 1_000_000 }

function sampleChildren(parent: AcceptedRun, count: number, from = 0): NewChild[] {
  return Array.from({ length: count }, (_, place) => sampleChild(parent, { index: from + place }))
}

/** A node has one child of each index. */
export function childIndexContract(open: OpenSubject): void {
  const indexesOf = async ({ runs }: Store, { seq }: RunRef, node = 'each-1') =>
    (await runs.children(seq, node, 0, 100)).map(({ index }) => index)

  storeTest(open, 'a node has one child of each index, whoever starts it, and when', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const begun = (await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 3), RULES))!
    await store.runs.park(parent, '"parked"', null, ['each-1'])
    const again = sampleChildren(parent, 3, 1)
    assert.deepEqual(await store.runs.startChildren(parent, 'each-1', again, RULES), [])
    assert.deepEqual(await indexesOf(store, parent), [0, 1, 2, 3])
    assert.equal(await store.runs.get(again[0]!.id), undefined)
    await store.runs.end(begun[0]!, sampleOutcome())
    await store.runs.end(begun[1]!, sampleOutcome())
    const later = await store.runs.takeDue('flow-b', 2e12, ALL)
    for (const child of later.runs) await store.runs.end(child, sampleOutcome())
    const [due] = (await store.runs.takeDue('flow-a', 2e12, ALL)).runs
    assert.equal(due?.id, parent.id)
  })

  storeTest(
    open,
    'of two attempts that start children together each index is there once',
    async ({ store }) => {
      const parent = await store.runs.accept(sampleRun())
      const start = () => store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 5), RULES)
      const begun = await Promise.all([start(), start()])
      assert.equal(begun.flat().length, 2)
      assert.deepEqual(await indexesOf(store, parent), [0, 1, 2, 3, 4])
    }
  )

  storeTest(open, 'what is recorded was not started, and is recorded once', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    await store.runs.startChildren(parent, 'each-1', sampleChildren(parent, 2), RULES)
    const record = () =>
      store.runs.recordChildren(
        parent,
        'each-1',
        sampleChildren(parent, 3, 1).map((child) => ({ child, outcome: sampleOutcome() }))
      )
    assert.deepEqual(await Promise.all([record(), record()]), [true, true])
    const found = await store.runs.children(parent.seq, 'each-1', 0, 100)
    assert.deepEqual(
      found.map(({ index, outcome }) => [index, outcome?.status]),
      [
        [0, undefined],
        [1, undefined],
        [2, 'succeeded'],
        [3, 'succeeded']
      ]
    )
  })

  storeTest(open, 'a child that nobody waits for is started once', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const start = () =>
      store.runs.startDetached(parent, sampleChild(parent, { node: 'call-1', isAwaited: false }))
    assert.deepEqual((await Promise.all([start(), start()])).filter((run) => run !== null).length, 1)
    assert.deepEqual(await indexesOf(store, parent, 'call-1'), [0])
  })
}
