import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listedIds, sampleMessage, sampleOutcome, sampleRun } from '../../contract/subject.test-kit.ts'
import type { AcceptedRun, Store } from '../../store.ts'
import { openFor } from '../sqlite-subject.test-kit.ts'
import { BLOCK_LENGTH } from './block-times.ts'
import { mostRecent } from './recent-runs.ts'

const rounds = 2_000

/**
 * Numbers over several blocks; one run in a hundred is of a quiet flow, and the clock is set back once.
 */
async function fill(store: Store): Promise<{ quiet: AcceptedRun[]; busy: AcceptedRun[] }> {
  const runs = await Promise.all(
    Array.from({ length: rounds }, (_, n) =>
      store.runs.accept(
        sampleRun({
          flowId: n % 100 === 0 ? 'quiet' : 'busy',
          createdAt: n < 1_000 ? 10_000 + n : 9_500 + n
        })
      )
    )
  )
  const messages = (run: AcceptedRun) => [sampleMessage({ text: run.id, session: run.flowId })]
  await Promise.all(
    runs.map((run) =>
      store.runs.end(
        run,
        sampleOutcome({
          finishedAt: run.createdAt,
          messages: messages(run),
          nodesWithOutput: [run.flowId]
        })
      )
    )
  )
  assert.ok((await store.runs.lastChange()) > 3 * BLOCK_LENGTH)
  return {
    quiet: runs.filter((run) => run.flowId === 'quiet'),
    busy: runs.filter((run) => run.flowId === 'busy')
  }
}

const idsOf = (runs: readonly { id: string }[]) => runs.map((run) => run.id)

test('a flow is found over many blocks', async (t) => {
  const { store } = await openFor(t)
  const { quiet, busy } = await fill(store)
  assert.deepEqual(await listedIds(store, { flowIds: ['quiet'], limit: 7 }), idsOf(quiet).reverse())
  assert.deepEqual(await listedIds(store, { flowIds: ['busy'] }), idsOf(busy).reverse())
  assert.equal((await listedIds(store, { flowIds: ['busy', 'quiet'], limit: 300 })).length, rounds)
  assert.equal((await store.runs.changes(['quiet'], 0, 1_000)).length, 2 * quiet.length)
  assert.equal((await store.runs.changes(['busy'], 0, 10_000)).length, 2 * busy.length)
  assert.equal((await store.runs.changes(null, 0, 10_000)).length, 2 * rounds)
  const { messages } = await store.messages.list({ flowId: 'quiet', session: 'quiet', limit: 15 })
  assert.deepEqual(
    messages.map((message) => message.text),
    idsOf(quiet).slice(-15)
  )
  assert.equal((await store.messages.list({ flowId: 'quiet', limit: 100 })).messages.length, quiet.length)
  assert.equal((await store.runs.latestWithOutput('quiet', 'quiet'))?.id, quiet.at(-1)!.id)
  assert.equal(await store.runs.latestWithOutput('quiet', 'busy'), undefined)
})

test('the newest runs of each flow are found over many blocks, and those that follow too', async (t) => {
  const { store } = await openFor(t)
  const { quiet, busy } = await fill(store)
  for (let round = 0; round < 2; round++) {
    const recent = await store.runs.recent(['quiet', 'busy'], mostRecent)
    assert.deepEqual(idsOf(recent.get('quiet')!), idsOf(quiet.slice(-mostRecent)).reverse())
    assert.deepEqual(idsOf(recent.get('busy')!), idsOf(busy.slice(-mostRecent)).reverse())
    const more = Array.from({ length: 600 }, () => store.runs.accept(sampleRun({ flowId: 'quiet' })))
    quiet.push(...(await Promise.all(more)))
  }
})

test('stats count over many blocks, of one flow and of all', async (t) => {
  const { store } = await openFor(t)
  const { quiet } = await fill(store)
  const question = { from: 9_000, width: 1_000, spans: 3 }
  const total = (spans: { succeeded: number }[]) => spans.reduce((sum, span) => sum + span.succeeded, 0)
  assert.equal(total(await store.runs.stats(question)), rounds)
  assert.equal(total(await store.runs.stats({ ...question, flowIds: ['quiet'] })), quiet.length)
  const narrow = await store.runs.stats({ from: 10_600, width: 50, spans: 2 })
  assert.deepEqual(
    narrow.map((span) => span.succeeded),
    [100, 100]
  )
})

test('times narrow the search and lose nothing when the clock was set back', async (t) => {
  const { store } = await openFor(t)
  const { quiet, busy } = await fill(store)
  const all = [...quiet, ...busy].sort((a, b) => b.seq - a.seq)
  for (const [since, until] of [
    [10_600, 10_700],
    [10_999, 11_001],
    [0, 10_001],
    [11_499, 99_999]
  ] as const) {
    const within = all.filter((run) => run.createdAt >= since && run.createdAt < until)
    assert.deepEqual(await listedIds(store, { since, until }), idsOf(within))
  }
})

test('pruning over many blocks leaves what is searched by time findable', async (t) => {
  const { store } = await openFor(t)
  const { quiet, busy } = await fill(store)
  const all = [...quiet, ...busy].sort((a, b) => b.seq - a.seq)
  while ((await store.runs.prune({ endedBefore: 10_900, slice: 150 })) > 0);
  const left = all.filter((run) => run.createdAt >= 10_900)
  assert.deepEqual(await listedIds(store), idsOf(left))
  assert.deepEqual(await listedIds(store, { since: 10_900 }), idsOf(left))
  assert.deepEqual(await listedIds(store, { until: 10_900 }), [])
  while ((await store.runs.prune({ keep: 0, slice: 500 })) > 0);
  assert.deepEqual(await listedIds(store, { since: 0 }), [])
})

test('accepting does not wait for a long search', async (t) => {
  const { store } = await openFor(t)
  const input = Buffer.alloc(20_000, 'hay ')
  await Promise.all(Array.from({ length: 1_000 }, () => store.runs.accept(sampleRun({ input }))))
  const order: string[] = []
  await Promise.all([
    store.runs.list({ text: 'needle', limit: 1 }).then(() => order.push('searched')),
    store.runs.accept(sampleRun()).then(() => order.push('accepted'))
  ])
  assert.deepEqual(order, ['accepted', 'searched'])
})
