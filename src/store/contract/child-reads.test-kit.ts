import assert from 'node:assert/strict'
import type { ChildRange, RunFilter } from '../store.ts'
import {
  ALL,
  FAILED,
  idsOf,
  parentRef,
  RULES,
  reopenChildren,
  sampleChild,
  sampleChildren,
  take,
  waitingParent
} from './sample-children.test-kit.ts'
import {
  beforeAndAfterRestart,
  listedIds,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function childReadContract(open: OpenSubject): void {
  recordContract(open)
  readContract(open)
  childPruneContract(open)
}

function recordContract(open: OpenSubject): void {
  storeTest(open, 'children that were executed at once are kept with their ends', async (subject) => {
    const parent = await subject.store.runs.accept(sampleRun())
    const children = sampleChildren(parent, 3)
    const last = await subject.store.runs.lastChange()
    const executed = children.map((child, place) => ({
      child,
      outcome: sampleOutcome(place === 1 ? { ...FAILED } : { nodesWithOutput: ['parser-1'] })
    }))
    assert.equal(await subject.store.runs.recordChildren(parent, 'each-1', executed), true)
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await store.runs.backlog(), new Map([['flow-a', 1]]))
      const found = await store.runs.children(parent.seq, 'each-1', 0, 10)
      assert.deepEqual(
        found.map(({ index, outcome }) => [index, outcome?.status]),
        [
          [0, 'succeeded'],
          [1, 'failed'],
          [2, 'succeeded']
        ]
      )
      const changes = await store.runs.changes(['flow-b'], last, 100)
      assert.deepEqual(changes.map(({ kind }) => kind).sort(), [
        'accepted',
        'accepted',
        'accepted',
        'ended',
        'ended',
        'ended'
      ])
      assert.deepEqual((await store.runs.get(children[1]!.id))?.parent, parentRef(parent, { index: 1 }))
      assert.equal((await store.runs.latestWithOutput('flow-b', 'parser-1'))?.id, children[2]!.id)
    }
  })

  storeTest(open, 'a child that was recorded as failed may be opened again', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const child = sampleChild(parent)
    await store.runs.recordChildren(parent, 'each-1', [{ child, outcome: FAILED }])
    const [found] = await store.runs.children(parent.seq, 'each-1', 0, 1)
    const [no] = await reopenChildren(store, parent, [{ ...child, seq: found!.seq }], RULES)
    assert.ok(no !== null)
    await store.runs.park(parent, '"parked"', null, ['each-1'])
    const [again] = await take(store, 'flow-b')
    assert.equal(again?.id, child.id)
    await store.runs.end(again!, sampleOutcome())
    assert.deepEqual(idsOf(await store.runs.takeDue('flow-a', 2e12, ALL)), [parent.id])
  })
}

function readContract(open: OpenSubject): void {
  storeTest(open, 'children are read by node, from an index on', async ({ store }) => {
    const { parent, children, begun } = await waitingParent(store, 4)
    await store.runs.end(begun[1]!, { ...FAILED, steps: '["x"]' })
    const all = await store.runs.children(parent.seq, 'each-1', 0, 10)
    assert.deepEqual(
      all.map(({ id }) => id),
      children.map(({ id }) => id)
    )
    assert.deepEqual(all[1], {
      seq: begun[1]!.seq,
      id: begun[1]!.id,
      flowId: 'flow-b',
      index: 1,
      outcome: { status: 'failed', finishedAt: FAILED.finishedAt, error: '{"message":"no"}', steps: '["x"]' }
    })
    assert.equal(all[0]?.outcome, null)
    const some = await store.runs.children(parent.seq, 'each-1', 2, 1)
    assert.deepEqual(
      some.map(({ index }) => index),
      [2]
    )
    assert.deepEqual(await store.runs.children(parent.seq, 'each-2', 0, 10), [])
  })

  storeTest(open, 'lists, recent runs and stats leave children out', async (subject) => {
    const { parent, children, begun } = await waitingParent(subject.store, 4)
    await subject.store.runs.end(begun[0]!, FAILED)
    const other = await subject.store.runs.accept(sampleRun({ flowId: 'flow-b' }))
    const newestFirst = children.map(({ id }) => id).reverse()
    for await (const store of beforeAndAfterRestart(subject)) {
      assert.deepEqual(await listedIds(store), [other.id, parent.id])
      assert.deepEqual(await listedIds(store, { flowIds: ['flow-b'] }), [other.id])
      assert.deepEqual(await listedIds(store, { flowIds: ['flow-a', 'flow-b'] }), [other.id, parent.id])
      assert.deepEqual(await listedIds(store, { status: 'failed' }), [])
      assert.deepEqual(await listedIds(store, { status: 'open' }), [other.id, parent.id])
      assert.deepEqual(await listedIds(store, { text: 'order' }), [other.id, parent.id])
      const { seq } = parent
      assert.deepEqual(await listedIds(store, { parentSeq: seq }), newestFirst)
      assert.deepEqual(await listedIds(store, { parentSeq: seq, limit: 1 }), newestFirst)
      assert.deepEqual(await listedIds(store, { parentSeq: seq, status: 'failed' }), [children[0]!.id])
      assert.deepEqual(await listedIds(store, { parentSeq: seq, flowIds: ['flow-a'] }), [])
      const page = await store.runs.list({ parentSeq: seq, limit: 1 })
      assert.deepEqual(page.runs[0]?.parent, parentRef(parent, { index: 3 }))
      const recent = await store.runs.recent(['flow-b'], 10)
      assert.deepEqual(
        recent.get('flow-b')?.map(({ id }) => id),
        [other.id]
      )
      const span = { from: 1_700_000_000_000, width: 1_000, spans: 1 }
      const [stats] = await store.runs.stats(span)
      const [ofFlow] = await store.runs.stats({ ...span, flowIds: ['flow-b'] })
      assert.deepEqual([stats?.open, stats?.failed, ofFlow?.open, ofFlow?.failed], [2, 0, 1, 0])
    }
  })

  storeTest(open, 'lists have children of one node, and of some indexes', async ({ store }) => {
    const { parent, children, begun } = await waitingParent(store, 5)
    await store.runs.end(begun[1]!, FAILED)
    const other = sampleChild(parent, { node: 'call-1', isAwaited: false })
    await store.runs.startDetached(parent, other)
    const list = (childrenOf: ChildRange, more: Partial<RunFilter> = {}) =>
      listedIds(store, { parentSeq: parent.seq, childrenOf, ...more })
    const ids = (...places: number[]) => places.map((place) => children[place]!.id)
    const node = 'each-1'
    assert.deepEqual(await list({ node }), ids(4, 3, 2, 1, 0))
    assert.deepEqual(await list({ node: 'call-1' }), [other.id])
    assert.deepEqual(await list({ node: 'none' }), [])
    assert.deepEqual(await list({ node, fromIndex: 3 }), ids(4, 3))
    assert.deepEqual(await list({ node, belowIndex: 2 }), ids(1, 0))
    assert.deepEqual(await list({ node, fromIndex: 1, belowIndex: 4 }), ids(3, 2, 1))
    assert.deepEqual(await list({ node, fromIndex: 1, belowIndex: 4 }, { limit: 2 }), ids(3, 2, 1))
    assert.deepEqual(await list({ node, fromIndex: 1 }, { status: 'failed' }), ids(1))
    assert.deepEqual(await list({ node, fromIndex: 2 }, { status: 'failed' }), [])
    const counted = (id: string) => store.runs.countChildren(parent.seq, id)
    assert.deepEqual(await counted(node), { succeeded: 0, failed: 1, cancelled: 0, open: 4 })
    assert.deepEqual(await counted('call-1'), { succeeded: 0, failed: 0, cancelled: 0, open: 1 })
    assert.deepEqual(await counted('none'), { succeeded: 0, failed: 0, cancelled: 0, open: 0 })
  })

  storeTest(open, 'what the runs below one used is added up by model', async ({ store }) => {
    const used = (model: string, input: number) => ({ model, input, cached: 1, output: 2 })
    const { parent, begun } = await waitingParent(store, 2)
    assert.deepEqual(await store.runs.usageBelow(parent.seq), [])
    const [below] = (await store.runs.startChildren(
      begun[0]!,
      'each-2',
      [sampleChild(begun[0]!, { node: 'each-2' })],
      RULES
    ))!
    await store.runs.end(below!, sampleOutcome({ usage: [used('small', 3)] }))
    await store.runs.end(begun[0]!, sampleOutcome({ usage: [used('large', 5)] }))
    await store.runs.end(begun[1]!, sampleOutcome({ usage: [used('small', 7)] }))
    const detached = await store.runs.startDetached(
      parent,
      sampleChild(parent, { node: 'call-1', isAwaited: false })
    )
    await store.runs.end(detached!, sampleOutcome({ usage: [used('small', 100)] }))
    assert.deepEqual(await store.runs.usageBelow(parent.seq), [
      { model: 'large', input: 5, cached: 1, output: 2 },
      { model: 'small', input: 10, cached: 2, output: 4 }
    ])
    assert.deepEqual(await store.runs.usageBelow(begun[0]!.seq), [used('small', 3)])
    assert.deepEqual(await store.runs.usageBelow(below!.seq), [])
  })

  storeTest(open, 'the last child of a node is the one with the highest index', async ({ store }) => {
    const { parent, children, begun } = await waitingParent(store, 3)
    await store.runs.end(begun[1]!, FAILED)
    const last = async (node: string) => (await store.runs.lastChild(parent.seq, node))?.index
    assert.deepEqual([await last('each-1'), await last('none')], [2, undefined])
    await store.runs.startChildren(parent, 'each-1', [sampleChild(parent, { index: 3 })], RULES)
    assert.equal(await last('each-1'), children.length)
    const [ended] = await store.runs.children(parent.seq, 'each-1', 1, 1)
    assert.equal(ended?.outcome?.status, 'failed')
  })

  storeTest(open, 'a child of a test runs what its parent tries out', async ({ store }) => {
    const parent = await store.runs.acceptTest(sampleRun(), '{"draft":1}', '{"pins":{}}')
    const [child] = (await store.runs.startChildren(
      parent,
      'each-1',
      [sampleChild(parent, {}, { isTest: true })],
      RULES
    ))!
    const [below] = (await store.runs.startChildren(
      child!,
      'each-2',
      [sampleChild(child!, { node: 'each-2' }, { isTest: true })],
      RULES
    ))!
    const detached = sampleChild(parent, { node: 'call-1', isAwaited: false })
    const plain = (await store.runs.startDetached(parent, detached))!
    assert.equal(child?.isTest, true)
    assert.equal((await store.runs.get(child!.id))?.isTest, true)
    for (const { seq } of [parent, child!, below!]) {
      assert.equal(await store.runs.testDocument(seq), '{"draft":1}')
      assert.equal(await store.runs.testScope(seq), '{"pins":{}}')
    }
    assert.equal(await store.runs.testDocument(plain.seq), undefined)
    assert.equal(await store.runs.testScope(plain.seq), undefined)
  })
}

function childPruneContract(open: OpenSubject): void {
  for (const rule of [
    { endedBefore: 2e12, slice: 4 },
    { keep: 0, slice: 4 }
  ]) {
    const by = rule.keep === undefined ? 'age' : 'number'
    storeTest(open, `by ${by}: children go after their parent, slice by slice`, async ({ store, reopen }) => {
      const { parent, begun } = await waitingParent(store, 5, { ...RULES, atOnce: 5 })
      const below = sampleChild(begun[0]!, { node: 'each-2' })
      const [grandchild] = (await store.runs.startChildren(begun[0]!, 'each-2', [below], RULES))!
      await store.runs.end(grandchild!, sampleOutcome())
      for (const child of begun) await store.runs.end(child, sampleOutcome())
      assert.equal(await store.runs.prune(rule), 0)
      await store.runs.end(parent, FAILED)
      assert.equal(await store.runs.prune(rule), 4)
      // Half of what it had done is gone: whoever retried it now would do that again.
      assert.equal(await store.runs.get(parent.id), undefined)
      assert.equal(await store.runs.reopen(parent, '"again"'), null)
      const again = await reopen()
      assert.equal(await again.runs.prune(rule), 3)
      assert.equal(await again.runs.prune(rule), 0)
      for (const { id } of [...begun, grandchild!]) assert.equal(await again.runs.get(id), undefined)
      assert.deepEqual(await again.runs.children(parent.seq, 'each-1', 0, 10), [])
    })
  }

  storeTest(open, 'how many runs stay is counted without children', async ({ store }) => {
    const { parent, begun } = await waitingParent(store, 3, { ...RULES, atOnce: 3 })
    for (const child of begun) await store.runs.end(child, sampleOutcome())
    await store.runs.end(parent, sampleOutcome())
    const later = await store.runs.accept(sampleRun())
    await store.runs.end(later, sampleOutcome())
    assert.equal(await store.runs.prune({ keep: 2, slice: 10 }), 0)
    assert.equal(await store.runs.prune({ keep: 1, slice: 10 }), 4)
    assert.deepEqual(await listedIds(store), [later.id])
  })

  storeTest(open, 'a child that outlives its parent goes after it', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const child = (await store.runs.startDetached(
      parent,
      sampleChild(parent, { node: 'run-1', isAwaited: false })
    ))!
    await store.runs.end(parent, sampleOutcome())
    const rule = { endedBefore: 2e12, slice: 10 }
    assert.equal(await store.runs.prune(rule), 1)
    const found = await store.runs.get(child.id)
    assert.deepEqual([found?.outcome, found?.parent?.runId], [null, parent.id])
    await store.runs.end(child, sampleOutcome({ finishedAt: 3e12 }))
    assert.equal(await store.runs.prune(rule), 0, 'by its own end')
    assert.equal(await store.runs.prune({ ...rule, endedBefore: 4e12 }), 1)
    assert.equal(await store.runs.get(child.id), undefined)
  })

  storeTest(open, 'one that ended long after its parent stays for as long after it', async ({ store }) => {
    const parent = await store.runs.accept(sampleRun())
    const given = sampleChild(parent, { node: 'run-1', isAwaited: false })
    const child = (await store.runs.startDetached(parent, given))!
    await store.runs.end(parent, sampleOutcome())
    await store.runs.end(child, sampleOutcome({ finishedAt: 3e12 }))
    const rule = { endedBefore: 2e12, slice: 10 }
    assert.equal(await store.runs.prune(rule), 1)
    assert.equal(await store.runs.prune(rule), 0)
    assert.equal((await store.runs.get(child.id))?.outcome?.status, 'succeeded')
    assert.equal(await store.runs.prune({ ...rule, endedBefore: 4e12 }), 1)
  })
}
