import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { eventually } from '../../../test/support/eventually.ts'
import { manualClock } from '../../clock.test-kit.ts'
import type { Budget, ModelPrice, SpendingStore, SpendingWrite, Spent } from '../../store/spending.ts'
import { costOf, priceOf, SHIPPED_PRICES } from './model-prices.ts'
import { Spending } from './spending.ts'

const DOLLAR: ModelPrice = { model: 'dollar', input: 1_000_000, cached: 500_000, output: 1_000_000 }

/** A store that keeps what it is given in memory, as both databases do on disk. */
function remembering(budgets: readonly Budget[]) {
  const spent: Spent[] = []
  const runs = new Map<number, number>()
  const written = new Set<string>()
  const store: SpendingStore = {
    prices: async () => [DOLLAR],
    setPrices: async () => {},
    budgets: async () => [...budgets],
    setBudget: async () => {},
    add: async (write: SpendingWrite) => {
      const key = `${write.writer} ${write.no}`
      if (written.has(key)) return
      written.add(key)
      spent.push(...write.spent)
      for (const { runSeq, cost } of write.runs) runs.set(runSeq, (runs.get(runSeq) ?? 0) + cost)
    },
    spent: async () => spent,
    spentBetween: async ({ fromDay, untilDay }) =>
      spent
        .filter(({ day }) => day >= fromDay && day <= untilDay)
        .map(({ context, cost }) => ({ context, cost })),
    topmost: async (seq) => (seq > 100 ? Math.floor(seq / 100) : seq),
    runCost: async (seq) => runs.get(seq) ?? 0
  }
  const clock = manualClock()
  const told: string[] = []
  const spending = new Spending({
    store,
    clock,
    onNear: (context, words) => void told.push(`${context}: ${words}`),
    onError: (error) => assert.fail(String(error))
  })
  return { spending, store, clock, told, spent }
}

const payer = (more: object = {}) => ({ context: '/sales/eu', flowId: 'f', runSeq: 1, ...more })
const CALL = { model: 'dollar', input: 1, mostOutput: 1 }
const used = (input: number, output: number, cached = 0) => ({
  input_tokens: input,
  cached_tokens: cached,
  output_tokens: output
})

async function ask(spending: Spending, more: object = {}): Promise<number | null | string> {
  try {
    return (await spending.payFor(payer(more), CALL)).end(used(1, 1))
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('what was spent', () => {
  it('is written with commits that are made anyway: with each that comes alone, with one for many that come quickly', async () => {
    const { spending, store, clock } = remembering([])
    let [written, asked] = [0, 0]
    const { add, topmost } = store
    store.add = async (write) => {
      written++
      await add(write)
    }
    store.topmost = async (seq) => {
      asked++
      return topmost(seq)
    }
    const calls = async (count: number, everyMs: number) => {
      const before = written
      for (let call = 0; call < count; call++) {
        await ask(spending)
        spending.joinCommit()
        await turn()
        clock.advance(everyMs)
      }
      return written - before
    }
    assert.equal(await calls(4, 1_000), 4)
    assert.equal(await calls(21, 25), 3)
    assert.equal(asked, 1, 'a run stays below the one that it was started by')
  })
})

describe('budgets', () => {
  it('hold the flows of a context and of those below, and refuse what they do not cover', async () => {
    const { spending } = remembering([{ context: '/sales', perMonth: 5, perRun: null }])
    assert.deepEqual(
      [await ask(spending), await ask(spending), await ask(spending)],
      [2, 2, 'budget_exceeded']
    )
    assert.equal(await ask(spending, { context: '/sales' }), 'budget_exceeded')
    assert.equal(await ask(spending, { context: '/shop' }), 2)
    assert.equal(await spending.spentThisMonth('/sales'), 4_000_000)
  })

  it('are not passed by many calls at once: what may be spent is put aside', async () => {
    const { spending } = remembering([{ context: '/', perMonth: 10, perRun: null }])
    const calls = await Promise.allSettled(Array.from({ length: 100 }, () => spending.payFor(payer(), CALL)))
    const begun = calls.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []))
    assert.equal(begun.length, 5)
    begun[0]!.end(undefined)
    assert.equal(await ask(spending), 2, 'what a call did not use is free again')
    for (const call of begun) call.end(used(1, 1))
    assert.equal(await ask(spending), 'budget_exceeded')
  })

  it('hold a run with all that it starts, also when it is written and read again', async () => {
    const { spending, clock } = remembering([{ context: '/', perMonth: null, perRun: 5 }])
    assert.equal(await ask(spending, { runSeq: 7 }), 2)
    await spending.save()
    assert.equal(await ask(spending, { runSeq: 701 }), 2)
    assert.equal(await ask(spending, { runSeq: 702 }), 'run_budget_exceeded')
    await spending.save()
    clock.advance(10_000)
    assert.equal(await ask(spending, { runSeq: 7 }), 'run_budget_exceeded')
    assert.equal(await ask(spending, { runSeq: 8 }), 2)
    assert.equal(await spending.costOfRun(7), 4)
  })

  it('begin anew with the month, and warn once at 80 %', async () => {
    const { spending, clock, told } = remembering([{ context: '/', perMonth: 10, perRun: null }])
    for (let call = 0; call < 3; call++) assert.equal(await ask(spending), 2)
    assert.deepEqual([told, await spending.shares()], [[], [{ context: '/', share: 0.6 }]])
    assert.equal(await ask(spending), 2)
    const warning = '/: 8.00 of 10.00 are spent this month'
    assert.deepEqual(told, [warning], 'with the call that reaches it, for there may be none after it')
    assert.equal(await ask(spending), 2)
    assert.equal(await ask(spending), 'budget_exceeded')
    assert.deepEqual(told, [warning])
    clock.advance(32 * 86_400_000)
    assert.equal(await ask(spending), 2)
  })

  it('warn of what was spent before, also where the next call is refused', async () => {
    const { spending, store, clock } = remembering([{ context: '/', perMonth: 5, perRun: null }])
    assert.deepEqual([await ask(spending), await ask(spending)], [2, 2])
    await spending.save()
    const told: string[] = []
    const onNear = (_: string, words: string) => void told.push(words)
    const next = new Spending({ store, clock, onNear, onError: () => {} })
    assert.equal(await ask(next), 'budget_exceeded')
    assert.deepEqual(told, ['4.00 of 5.00 are spent this month'])
  })

  it('hold no model that has no price; without a budget it is asked, and counted apart', async () => {
    const bounded = remembering([{ context: '/', perMonth: 10, perRun: null }]).spending
    await assert.rejects(bounded.payFor(payer(), { ...CALL, model: 'unheard-of' }), {
      code: 'model_without_price'
    })
    const { spending, spent } = remembering([])
    const paid = await spending.payFor(payer(), { ...CALL, model: 'unheard-of' })
    assert.equal(paid.end(used(3, 4)), null)
    await spending.save()
    assert.partialDeepStrictEqual(spent, [{ input: 3, output: 4, cost: 0, unpriced: 1 }])
  })

  it('count whole tokens, whatever a provider says', async () => {
    const { spending, spent } = remembering([])
    const paid = await spending.payFor(payer(), CALL)
    paid.end({ input_tokens: 1.5, cached_tokens: -2, output_tokens: 1e300 })
    await spending.save()
    assert.partialDeepStrictEqual(spent, [{ input: 2, cached: 0, output: 1_000_000_000 }])
  })

  it('are held after a write by what is known, without reading the store again', async () => {
    const { store } = remembering([{ context: '/', perMonth: 10, perRun: null }])
    let reads = 0
    const counting: SpendingStore = {
      ...store,
      spentBetween: (question) => {
        reads++
        return store.spentBetween(question)
      }
    }
    const spending = new Spending({
      store: counting,
      clock: manualClock(),
      onNear: () => {},
      onError: (error) => assert.fail(String(error))
    })
    for (let call = 0; call < 5; call++) {
      assert.equal(await ask(spending), 2)
      await spending.save()
    }
    assert.equal(await ask(spending), 'budget_exceeded')
    assert.equal(reads, 1)
  })

  it('lose nothing where two save at the same time, and the store refuses what they do', async () => {
    const { store, spent } = remembering([])
    const answers: PromiseWithResolvers<void>[] = []
    const slow: SpendingStore = {
      ...store,
      add: async (...added) => {
        const answer = Promise.withResolvers<void>()
        answers.push(answer)
        await answer.promise
        await store.add(...added)
      }
    }
    const spending = new Spending({ store: slow, clock: manualClock(), onNear: () => {}, onError: () => {} })
    assert.equal(await ask(spending), 2)
    const first = spending.save()
    await eventually(async () => answers.length, 1)
    assert.equal(await ask(spending), 2)
    const others = Promise.all([spending.save(), spending.save()])
    answers[0]!.resolve()
    await first
    await eventually(async () => answers.length, 2)
    answers[1]!.reject(new Error('full'))
    await eventually(async () => answers.length, 3)
    answers[2]!.resolve()
    await others
    assert.equal(
      spent.reduce((sum, { cost }) => sum + cost, 0),
      4_000_000
    )
  })

  it('count once what the store has although its answer was lost', async () => {
    const { store, clock, spent } = remembering([])
    let isLost = true
    const losing: SpendingStore = {
      ...store,
      add: async (write) => {
        await store.add(write)
        if (isLost) throw new Error('the connection was cut')
      }
    }
    const spending = new Spending({ store: losing, clock, onNear: () => {}, onError: () => {} })
    await ask(spending)
    await spending.save()
    await ask(spending)
    await spending.save()
    isLost = false
    await ask(spending)
    await spending.save()
    assert.deepEqual(
      spent.map(({ cost }) => cost),
      [2_000_000, 4_000_000]
    )
    assert.deepEqual([await spending.costOfRun(1), await spending.spentThisMonth('/')], [6, 6_000_000])
  })

  it('lose nothing that the store does not take at once', async () => {
    const { spending, store, spent } = remembering([])
    const add = store.add
    const failing: { -readonly [Name in keyof SpendingStore]: SpendingStore[Name] } = {
      ...store,
      add: () => Promise.reject(new Error('full'))
    }
    const errors: unknown[] = []
    const careful = new Spending({
      store: failing,
      clock: manualClock(),
      onNear: () => {},
      onError: (error) => void errors.push(error)
    })
    assert.equal(await ask(careful), 2)
    await careful.save()
    assert.equal(errors.length, 1)
    failing.add = add
    await careful.save()
    assert.deepEqual(
      spent.map(({ cost }) => cost),
      [2_000_000]
    )
    assert.equal(await ask(spending), 2)
  })
})

describe('prices', () => {
  it('hold for the versions of a model, and what is set comes before what is shipped', () => {
    assert.equal(priceOf('gpt-5-2025-08-07', [])?.model, 'gpt-5')
    assert.equal(priceOf('claude-sonnet-4-5-20250929', [])?.model, 'claude-sonnet-4-5')
    assert.equal(priceOf('gpt-5-mini', [])?.model, 'gpt-5-mini')
    assert.equal(priceOf('gpt-5-turbo', []), undefined)
    const mine = { model: 'gpt-5', input: 9, cached: 9, output: 9 }
    assert.equal(priceOf('gpt-5-2025-08-07', [mine]), mine)
  })

  it('never make anything cheaper that has more tokens', () => {
    const tokens = fc.record({
      input: fc.nat(1e9),
      cached: fc.nat(1e9),
      output: fc.nat(1e9),
      more: fc.nat(1e6)
    })
    fc.assert(
      fc.property(fc.constantFrom(...SHIPPED_PRICES), tokens, (price, { input, cached, output, more }) => {
        const cost = costOf(price, used(input, output, cached))
        assert.ok(Number.isSafeInteger(cost) && cost >= 0)
        assert.ok(costOf(price, used(input, output + more, cached)) >= cost)
      })
    )
  })
})
