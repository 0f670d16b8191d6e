import assert from 'node:assert/strict'
import type { StoredComment } from '../comments.ts'
import type { ExpectationFacts, StoredExpectation } from '../expectations.ts'
import type { Store } from '../store.ts'
import { beforeAndAfterRestart, type OpenSubject, sampleFlow, storeTest } from './subject.test-kit.ts'

const expectationOf = (flowId: string, given: Partial<StoredExpectation> = {}): StoredExpectation => ({
  flowId,
  id: 'e-1',
  name: 'Order 7',
  runId: 'run-7',
  author: 'Ann',
  createdAt: 1000,
  of: 'then',
  recording: '{"run":"Ünïcode"}',
  ...given
})

const commentOf = (flowId: string, given: Partial<StoredComment> = {}): StoredComment => ({
  flowId,
  id: 'c-1',
  node: 'parser-1',
  text: 'Why not {name?}',
  author: 'Ann',
  createdAt: 1000,
  doneAt: null,
  doneBy: null,
  ...given
})

/** What people put beside a flow: no version and no draft has it. */
export function besideFlowContract(open: OpenSubject): void {
  storeTest(open, 'they are read oldest first, those of one flow, and removed', async (subject) => {
    const { store } = subject
    const [flow, other] = await twoFlows(store)
    const [later, first] = [expectationOf(flow, { id: 'a', createdAt: 2000, of: 'now' }), expectationOf(flow)]
    const [last, comment] = [commentOf(flow, { id: 'a', node: null, createdAt: 3000 }), commentOf(flow)]
    for (const each of [later, first, expectationOf(other)]) {
      assert.equal(await store.expectations.add(each, 10), 'added')
    }
    for (const each of [last, comment, commentOf(other)]) {
      assert.equal(await store.comments.add(each, 10), 'added')
    }
    for await (const { expectations, comments } of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await expectations.ofFlow(flow), [first, later].map(factsOf))
      assert.deepEqual(await expectations.read(flow, 'a'), later)
      assert.equal(await expectations.read(flow, 'nowhere'), undefined)
      assert.deepEqual(await comments.ofFlow(flow), [comment, last])
    }
  })

  storeTest(open, 'one that is removed is gone, and no other', async ({ store }) => {
    const [flow, other] = await twoFlows(store)
    for (const id of [flow, other]) await store.expectations.add(expectationOf(id), 10)
    for (const id of [flow, other]) await store.comments.add(commentOf(id), 10)
    assert.deepEqual(
      [await store.expectations.remove(flow, 'e-1'), await store.expectations.remove(flow, 'e-1')],
      [true, false]
    )
    assert.deepEqual(
      [await store.comments.remove(flow, 'c-1'), await store.comments.remove(flow, 'c-1')],
      [true, false]
    )
    for (const kind of [store.expectations, store.comments]) {
      assert.equal((await kind.ofFlow(flow)).length, 0)
      assert.equal((await kind.ofFlow(other)).length, 1)
    }
  })

  storeTest(open, 'a comment is done, and open again', async ({ store }) => {
    const [flow] = await twoFlows(store)
    await store.comments.add(commentOf(flow), 10)
    const done = { doneAt: 5000, doneBy: 'Bob' }
    assert.deepEqual(await store.comments.mark(flow, 'c-1', done), commentOf(flow, done))
    const again = { doneAt: null, doneBy: null }
    assert.deepEqual(await store.comments.mark(flow, 'c-1', again), commentOf(flow))
    assert.equal(await store.comments.mark(flow, 'nowhere', done), undefined)
  })

  storeTest(open, 'a flow has so many, and only while it is live', async ({ store }) => {
    const [flow] = await twoFlows(store)
    assert.equal(await store.expectations.add(expectationOf(flow), 1), 'added')
    assert.equal(await store.expectations.add(expectationOf(flow, { id: 'e-2' }), 1), 'full')
    assert.equal(await store.comments.add(commentOf(flow), 1), 'added')
    assert.equal(await store.comments.add(commentOf(flow, { id: 'c-2' }), 1), 'full')
    await store.flows.remove(flow, 2000)
    assert.equal(await store.expectations.add(expectationOf(flow, { id: 'late' }), 9), 'gone')
    assert.equal(await store.comments.add(commentOf('nobody'), 9), 'gone')
    await store.flows.undelete(flow, { at: 6000 })
    assert.equal((await store.expectations.ofFlow(flow)).length, 1)
    assert.equal((await store.comments.ofFlow(flow)).length, 1)
  })

  storeTest(open, 'they go with the flow when it goes for good', async ({ store }) => {
    const [flow] = await twoFlows(store)
    await store.expectations.add(expectationOf(flow), 9)
    await store.comments.add(commentOf(flow), 9)
    await store.flows.remove(flow, 2000)
    assert.equal(await store.flows.purge(flow), true)
    assert.deepEqual(await store.expectations.ofFlow(flow), [])
    assert.deepEqual(await store.comments.ofFlow(flow), [])
  })
}

function factsOf({ recording: _, ...facts }: StoredExpectation): ExpectationFacts {
  return facts
}

async function twoFlows(store: Store): Promise<[string, string]> {
  const flows = [sampleFlow({ slug: 'one' }), sampleFlow({ slug: 'other' })] as const
  for (const each of flows) await store.flows.create(each)
  return [flows[0].id, flows[1].id]
}
