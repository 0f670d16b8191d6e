import assert from 'node:assert/strict'
import type { Store } from '../store.ts'
import {
  acceptAndEnd,
  acceptMany,
  beforeAndAfterRestart,
  type OpenSubject,
  sampleOutcome,
  storeTest
} from './subject.test-kit.ts'

const latest = async (store: Store, node: string, flowId = 'flow-a') =>
  (await store.runs.latestWithOutput(flowId, node))?.id

export function outputContract(open: OpenSubject): void {
  storeTest(open, 'a node points to the run that gave it an output last', async (subject) => {
    const { store } = subject
    assert.equal(await latest(store, 'parser-1'), undefined)
    const [older, newer] = await acceptMany(store, 2)
    await store.runs.end(
      newer!,
      sampleOutcome({ nodesWithOutput: ['webhook-1', 'parser-1'], steps: '["n"]' })
    )
    assert.equal(await latest(store, 'parser-1'), newer!.id)
    // It was accepted first and ended last: its output is the most recent one.
    await store.runs.end(older!, sampleOutcome({ nodesWithOutput: ['parser-1'], steps: '["o"]' }))
    await acceptAndEnd(store, {}, { status: 'failed', nodesWithOutput: [] })
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.equal(await latest(each, 'parser-1'), older!.id)
      assert.equal(await latest(each, 'webhook-1'), newer!.id)
      assert.equal(await latest(each, 'parser'), undefined)
      assert.equal(await latest(each, 'parser-1', 'flow-b'), undefined)
      assert.equal((await each.runs.latestWithOutput('flow-a', 'parser-1'))?.outcome?.steps, '["o"]')
    }
  })

  storeTest(open, 'names of nodes are compared whole', async ({ store }) => {
    await acceptAndEnd(store, {}, { nodesWithOutput: ['a","b', 'c"'] })
    assert.equal(await latest(store, 'a'), undefined)
    assert.equal(await latest(store, ','), undefined)
    assert.ok(await latest(store, 'a","b'))
  })

  storeTest(
    open,
    'when that run is deleted or opened again, an older one is the latest',
    async ({ store }) => {
      const [first, second, third] = await acceptMany(store, 3)
      for (const run of [second!, third!, first!]) {
        const finishedAt = run === first ? 1.71e12 : 1.72e12
        const given = { status: 'failed', nodesWithOutput: ['parser-1'], finishedAt } as const
        await store.runs.end(run, sampleOutcome(given))
      }
      assert.equal(await latest(store, 'parser-1'), first!.id)
      await store.runs.prune({ endedBefore: 1.715e12, slice: 10 })
      assert.equal(await latest(store, 'parser-1'), third!.id)
      await store.runs.reopen(third!, '"again"')
      assert.equal(await latest(store, 'parser-1'), second!.id)
      await store.runs.end(third!, sampleOutcome({ nodesWithOutput: ['parser-1'] }))
      assert.equal(await latest(store, 'parser-1'), third!.id)
      await store.runs.prune({ keep: 0, slice: 10 })
      assert.equal(await latest(store, 'parser-1'), undefined)
    }
  )
}
