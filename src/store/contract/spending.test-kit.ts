import assert from 'node:assert/strict'
import type { RunCost, SpendingStore, Spent } from '../spending.ts'
import { sampleChild } from './sample-children.test-kit.ts'
import { acceptAndEnd, acceptMany, type OpenSubject, storeTest } from './subject.test-kit.ts'

function spent(more: Partial<Spent> = {}): Spent {
  const counts = { calls: 1, input: 10, cached: 2, output: 5, cost: 70, unpriced: 0 }
  return { day: '2026-11-19', context: '/', flowId: 'flow-a', model: 'large', ...counts, ...more }
}

let writes = 0

function added(
  spending: SpendingStore,
  spentThen: readonly Spent[],
  runs: readonly RunCost[]
): Promise<void> {
  return spending.add({ writer: `w${++writes}`, no: 1, at: 1000, spent: spentThen, runs })
}

export function spendingContract(open: OpenSubject): void {
  storeTest(open, 'prices and budgets are kept as they were set', async ({ store, reopen }) => {
    const prices = [
      { model: 'large', input: 0.005, cached: 0, output: 10 },
      { model: 'small', input: 0, cached: 0, output: 0 }
    ]
    await store.spending.setPrices([...prices, { model: 'old', input: 1, cached: 1, output: 1 }])
    await store.spending.setPrices(prices)
    await store.spending.setBudget({ context: '/', perMonth: 50, perRun: null })
    await store.spending.setBudget({ context: '/sales', perMonth: 1, perRun: 0.25 })
    await store.spending.setBudget({ context: '/', perMonth: 60.5, perRun: 2 })
    const again = (await reopen()).spending
    assert.deepEqual(await again.prices(), prices)
    assert.deepEqual(await again.budgets(), [
      { context: '/', perMonth: 60.5, perRun: 2 },
      { context: '/sales', perMonth: 1, perRun: 0.25 }
    ])
    await again.setBudget({ context: '/', perMonth: null, perRun: null })
    assert.deepEqual(
      (await again.budgets()).map(({ context }) => context),
      ['/sales']
    )
  })

  storeTest(open, 'what was spent adds up, by day, context, flow and model', async ({ store }) => {
    const { spending } = store
    await added(spending, [spent(), spent({ flowId: 'flow-b' })], [])
    await Promise.all([added(spending, [spent()], []), added(spending, [spent({ context: '/sales' })], [])])
    await added(spending, [spent({ day: '2026-12-01' })], [])
    const november = { fromDay: '2026-11-01', untilDay: '2026-11-31' }
    const all = [
      spent({ calls: 2, input: 20, cached: 4, output: 10, cost: 140 }),
      spent({ flowId: 'flow-b' }),
      spent({ context: '/sales' })
    ]
    assert.deepEqual(await spending.spent({ ...november, after: undefined, limit: 9 }), all)
    // Page by page, each from where the last one ended.
    for (let after: Spent | undefined, at = 0; at <= all.length; at++) {
      const page = await spending.spent({ ...november, after, limit: 1 })
      assert.deepEqual(page, all.slice(at, at + 1))
      after = page[0]
    }
    const byContext = await spending.spentBetween(november)
    assert.deepEqual(
      byContext.toSorted((one, other) => one.cost - other.cost),
      [
        { context: '/sales', cost: 70 },
        { context: '/', cost: 210 }
      ]
    )
  })

  storeTest(open, 'a write that comes again counts once', async ({ store, reopen }) => {
    const run = await acceptAndEnd(store)
    const write = { writer: 'w', no: 1, at: 1000, spent: [spent()], runs: [{ runSeq: run.seq, cost: 70 }] }
    await store.spending.add(write)
    await Promise.all([store.spending.add(write), store.spending.add(write)])
    await store.spending.add({ ...write, no: 2 })
    const { spending } = await reopen()
    await spending.add({ ...write, no: 2 })
    await spending.add({ ...write, writer: 'other' })
    const days = { fromDay: '2026-11-19', untilDay: '2026-11-19' }
    assert.deepEqual(await spending.spentBetween(days), [{ context: '/', cost: 210 }])
    assert.equal(await spending.runCost(run.seq), 210)
  })

  storeTest(open, 'a run has what all below it have cost, and takes that along', async ({ store }) => {
    const [parent] = await acceptMany(store, 1)
    const child = await store.runs.startDetached(parent!, sampleChild(parent!, { isAwaited: false }))
    const { spending } = store
    assert.equal(await spending.topmost(child!.seq), parent!.seq)
    assert.equal(await spending.topmost(parent!.seq), parent!.seq)
    const run = await acceptAndEnd(store)
    await added(spending, [], [{ runSeq: run.seq, cost: 5 }])
    await added(spending, [], [{ runSeq: run.seq, cost: 6 }])
    assert.deepEqual([await spending.runCost(run.seq), await spending.runCost(parent!.seq)], [11, 0])
    await store.runs.deleteEnded([run.seq])
    assert.equal(await spending.runCost(run.seq), 0)
  })

  storeTest(open, 'a context that gets another name has spent what it had', async ({ store }) => {
    const made = { id: 'c1', path: '/sales', createdAt: 1, settings: '{}', variables: '{}' }
    await store.contexts.put([made])
    const { spending } = store
    await spending.setBudget({ context: '/sales', perMonth: 1, perRun: null })
    await added(spending, [spent({ context: '/sales' }), spent({ context: '/shop' })], [])
    await store.contexts.put([{ ...made, path: '/shop' }])
    assert.deepEqual(await spending.budgets(), [{ context: '/shop', perMonth: 1, perRun: null }])
    const days = { fromDay: '2026-11-01', untilDay: '2026-11-31' }
    assert.deepEqual(await spending.spentBetween(days), [{ context: '/shop', cost: 140 }])
  })
}
