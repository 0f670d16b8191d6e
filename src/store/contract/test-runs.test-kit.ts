import assert from 'node:assert/strict'
import {
  acceptAndEnd,
  beforeAndAfterRestart,
  listedIds,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const DOCUMENT = '{"name":"A draft"}'
const PAGE = { runs: 10, bytes: 1e6 }

export function testRunContract(open: OpenSubject): void {
  storeTest(open, 'a test is a run with a document of its own', async (subject) => {
    const given = sampleRun()
    const test = await subject.store.runs.acceptTest(given, DOCUMENT)
    assert.deepEqual(test, { ...given, seq: test.seq, isTest: true })
    const other = await subject.store.runs.accept(sampleRun())
    assert.ok(other.seq > test.seq)
    for await (const { runs } of beforeAndAfterRestart(subject)) {
      assert.equal(await runs.testDocument(test.seq), DOCUMENT)
      assert.equal(await runs.testDocument(other.seq), undefined)
      assert.equal((await runs.get(test.id))?.isTest, true)
      assert.equal(Object.hasOwn((await runs.get(other.id))!, 'isTest'), false)
      const waiting = await runs.queued(given.flowId, 0, PAGE)
      assert.deepEqual(
        waiting.runs.map(({ id, isTest }) => [id, isTest]),
        [
          [test.id, true],
          [other.id, undefined]
        ]
      )
      assert.deepEqual(await runs.backlog(), new Map([[given.flowId, 2]]))
    }
  })

  storeTest(open, 'a test keeps its scope, where it has one', async (subject) => {
    const scope = '{"pins":{"a":{"data":1}}}'
    const narrow = await subject.store.runs.acceptTest(sampleRun(), DOCUMENT, scope)
    const whole = await subject.store.runs.acceptTest(sampleRun(), DOCUMENT)
    for await (const { runs } of beforeAndAfterRestart(subject)) {
      assert.equal(await runs.testDocument(narrow.seq), DOCUMENT)
      assert.equal(await runs.testScope(narrow.seq), scope)
      assert.equal(await runs.testScope(whole.seq), undefined)
      assert.equal(await runs.testScope(9_999), undefined)
    }
  })

  storeTest(
    open,
    'a test goes on, ends and is opened again as any other run',
    async ({ store: { runs } }) => {
      const test = await runs.acceptTest(sampleRun(), DOCUMENT)
      assert.ok((await runs.checkpoint(test, '{"begun":1}')) !== null)
      assert.ok((await runs.end(test, sampleOutcome({ status: 'failed' }))) !== null)
      assert.ok((await runs.reopen(test, '{"again":1}')) !== null)
      assert.equal((await runs.get(test.id))?.isTest, true)
      assert.equal(await runs.testDocument(test.seq), DOCUMENT)
      const [accepted] = await runs.changes(null, 0, 10)
      assert.ok(accepted?.kind === 'accepted' && accepted.run.isTest === true)
    }
  )

  storeTest(open, 'tests are listed with the others, by themselves, or not', async ({ store }) => {
    const plain = await acceptAndEnd(store, {}, { status: 'failed' })
    const tests = [
      await store.runs.acceptTest(sampleRun(), DOCUMENT),
      await store.runs.acceptTest(sampleRun({ flowId: 'flow-b' }), DOCUMENT)
    ]
    await store.runs.end(tests[0]!, sampleOutcome({ status: 'failed' }))
    const ids = [...tests].reverse().map(({ id }) => id)
    assert.deepEqual(await listedIds(store), [...ids, plain.id])
    assert.deepEqual(await listedIds(store, { isTest: true }), ids)
    assert.deepEqual(await listedIds(store, { isTest: true, limit: 1 }), ids)
    assert.deepEqual(await listedIds(store, { isTest: false }), [plain.id])
    assert.deepEqual(await listedIds(store, { isTest: true, flowIds: ['flow-b'] }), [tests[1]!.id])
    assert.deepEqual(await listedIds(store, { isTest: true, status: 'failed' }), [tests[0]!.id])
    assert.deepEqual(await listedIds(store, { isTest: false, status: 'failed' }), [plain.id])
    assert.deepEqual(await listedIds(store, { isTest: true, status: 'open' }), [tests[1]!.id])
  })

  storeTest(open, 'tests are no part of stats and of the newest runs', async ({ store }) => {
    const plain = await acceptAndEnd(store)
    const test = await store.runs.acceptTest(sampleRun(), DOCUMENT)
    const usage = [{ model: 'large', input: 1, cached: 0, output: 1 }]
    await store.runs.end(test, sampleOutcome({ usage }))
    await store.runs.acceptTest(sampleRun(), DOCUMENT)
    const question = { from: 1_700_000_000_000, width: 1_000, spans: 1 }
    for (const flowIds of [undefined, ['flow-a']]) {
      const [stats] = await store.runs.stats({ ...question, ...(flowIds === undefined ? {} : { flowIds }) })
      assert.deepEqual([stats?.succeeded, stats?.open, stats?.usage], [1, 0, []])
    }
    const recent = await store.runs.recent(['flow-a'], 5)
    assert.deepEqual(
      recent.get('flow-a')?.map(({ id }) => id),
      [plain.id]
    )
  })

  storeTest(open, 'a test goes with its document', async ({ store: { runs } }) => {
    const test = await runs.acceptTest(sampleRun(), DOCUMENT)
    await runs.end(test, sampleOutcome())
    assert.equal(await runs.prune({ keep: 0, slice: 10 }), 1)
    assert.equal(await runs.testDocument(test.seq), undefined)
    assert.deepEqual(await listedIds({ runs } as Parameters<typeof listedIds>[0], { isTest: true }), [])
  })
}
