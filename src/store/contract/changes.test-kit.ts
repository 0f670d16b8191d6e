import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Change, Store } from '../store.ts'
import {
  acceptAndEnd,
  acceptMany,
  beforeAndAfterRestart,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const named = (change: Change) =>
  change.kind === 'accepted' ? `accepted ${change.run.id}` : `${change.kind} ${change.runId}`

async function walk(store: Store, flowIds: readonly string[] | null, limit: number): Promise<Change[]> {
  const all: Change[] = []
  for (;;) {
    const page = await store.runs.changes(flowIds, all.at(-1)?.no ?? 0, limit)
    assert.ok(page.length <= limit)
    if (page.length === 0) return all
    all.push(...page)
  }
}

export function changeContract(open: OpenSubject): void {
  storeTest(open, 'all kinds of change are read in the order of their numbers', async (subject) => {
    const { store } = subject
    const [a, b] = await acceptMany(store, 2)
    const other = await store.runs.accept(sampleRun({ flowId: 'flow-b' }))
    const numbers = await Promise.all([
      store.runs.checkpoint(b!, '"b1"'),
      store.runs.end(a!, sampleOutcome({ steps: '["a"]' })),
      store.runs.checkpoint(other, '"other"'),
      store.runs.park(b!, '"b2"', 1000)
    ])
    const late = await store.runs.accept(sampleRun())
    const ended = await store.runs.end(b!, sampleOutcome({ status: 'failed', error: '{}' }))
    const made = [
      { no: a!.seq, what: `accepted ${a!.id}` },
      { no: b!.seq, what: `accepted ${b!.id}` },
      { no: numbers[0]!, what: `journal ${b!.id}` },
      { no: numbers[1]!, what: `ended ${a!.id}` },
      { no: numbers[3]!, what: `journal ${b!.id}` },
      { no: late.seq, what: `accepted ${late.id}` },
      { no: ended!, what: `ended ${b!.id}` }
    ]
    for await (const each of beforeAndAfterRestart(subject)) {
      const changes = await each.runs.changes(['flow-a'], 0, 100)
      assert.deepEqual(
        changes.map((change) => ({ no: change.no, what: named(change) })),
        made.toSorted((one, other) => one.no - other.no)
      )
      assert.equal(await each.runs.lastChange(), ended)
    }
  })

  storeTest(open, 'a change carries what it is about', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    await store.runs.checkpoint(run, '"entry"')
    const { messages, nodesWithOutput, usage, ...kept } = sampleOutcome({
      status: 'cancelled',
      steps: '["s"]'
    })
    const no = await store.runs.end(run, { ...kept, messages, nodesWithOutput, usage })
    const [accepted, journal, ended] = await store.runs.changes(['flow-a'], 0, 10)
    assert.ok(accepted?.kind === 'accepted')
    const { input, request, ...facts } = run
    assert.deepEqual(accepted, { kind: 'accepted', no: run.seq, flowId: 'flow-a', run: facts })
    assert.ok(journal?.kind === 'journal')
    assert.deepEqual([journal.entry, journal.runId, journal.flowId], ['"entry"', run.id, 'flow-a'])
    assert.deepEqual(ended, { kind: 'ended', no, flowId: 'flow-a', runId: run.id, outcome: { no, ...kept } })
  })

  storeTest(open, 'reading on from any number misses nothing and repeats nothing', async ({ store }) => {
    for (let round = 0; round < 5; round++) {
      const run = await store.runs.accept(sampleRun())
      await store.runs.checkpoint(run, `"${round}"`)
      await acceptAndEnd(store, { flowId: 'flow-b' })
      await store.runs.end(run, sampleOutcome())
    }
    const all = await store.runs.changes(['flow-a'], 0, 100)
    assert.equal(all.length, 15)
    for (const limit of [1, 2, 7]) assert.deepEqual(await walk(store, ['flow-a'], limit), all)
    assert.deepEqual(await store.runs.changes(['flow-a'], all[6]!.no, 100), all.slice(7))
    assert.deepEqual(await store.runs.changes(['flow-a'], await store.runs.lastChange(), 100), [])
    assert.deepEqual(await store.runs.changes(['flow-z'], 0, 100), [])
  })

  storeTest(open, 'an ending that was taken back is replaced by the new journal', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    const ended = await store.runs.end(run, sampleOutcome({ status: 'failed' }))
    const reopened = await store.runs.reopen(run, '"again"')
    const changes = await store.runs.changes(['flow-a'], ended! - 1, 10)
    assert.deepEqual(changes, [
      { kind: 'journal', no: reopened, flowId: 'flow-a', runId: run.id, entry: '"again"' }
    ])
  })

  storeTest(open, 'changes of several flows, and of all, are read as one sequence', async ({ store }) => {
    for (let round = 0; round < 4; round++) {
      for (const flowId of ['flow-a', 'flow-b', 'flow-c']) {
        const run = await store.runs.accept(sampleRun({ flowId }))
        await store.runs.checkpoint(run, `"${round}"`)
        await store.runs.end(run, sampleOutcome())
      }
    }
    const all = await store.runs.changes(null, 0, 100)
    assert.equal(all.length, 36)
    assert.deepEqual(
      all.map((change) => change.no),
      Array.from({ length: 36 }, (_, index) => index + 1)
    )
    for (const flowIds of [['flow-a'], ['flow-c', 'flow-a'], ['flow-b', 'flow-z'], null]) {
      const expected = all.filter((change) => flowIds?.includes(change.flowId) ?? true)
      for (const limit of [1, 5, 100]) assert.deepEqual(await walk(store, flowIds, limit), expected)
    }
    assert.deepEqual(await store.runs.changes([], 0, 100), [])
    assert.deepEqual(await store.runs.changes(null, 30, 3), all.slice(30, 33))
  })

  storeTest(open, 'large changes are read few at a time, and none is left out', async ({ store }) => {
    const steps = JSON.stringify(Array.from({ length: 20_000 }, () => randomUUID()))
    const runs = await acceptMany(store, 12)
    for (const run of runs) await store.runs.end(run, sampleOutcome({ steps }))
    await acceptMany(store, 3)
    const first = await store.runs.changes(['flow-a'], 0, 100)
    assert.ok(first.length >= runs.length && first.length < 2 * runs.length, `${first.length} at once`)
    const all = await walk(store, ['flow-a'], 100)
    assert.deepEqual(
      all.map(({ no }) => no),
      Array.from({ length: 27 }, (_, index) => index + 1)
    )
  })

  storeTest(open, 'changes are counted as they are read, as far as is asked', async ({ store }) => {
    for (const flowId of ['flow-a', 'flow-b', 'flow-a']) {
      const run = await store.runs.accept(sampleRun({ flowId }))
      await store.runs.checkpoint(run, '"entry"')
      await store.runs.end(run, sampleOutcome())
    }
    const count = (flowIds: readonly string[] | null, after: number, most = 100) =>
      store.runs.countChanges(flowIds, after, most)
    for (const flowIds of [['flow-a'], ['flow-b', 'flow-z'], ['flow-z'], [], null]) {
      for (const after of [0, 1, 4, 9]) {
        const { length } = await store.runs.changes(flowIds, after, 100)
        assert.equal(await count(flowIds, after), length, `${flowIds} after ${after}`)
      }
    }
    assert.equal(await count(null, 0, 9), 9)
    assert.equal(await count(null, 0, 8), 8)
    assert.equal(await count(['flow-a'], 0, 1), 1)
  })
}
