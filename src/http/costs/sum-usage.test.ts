import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Spent } from '../../store/spending.ts'
import { UsageSums } from './sum-usage.ts'

function summed(spent: readonly Spent[]) {
  const sums = new UsageSums()
  for (const each of spent) sums.add(each)
  const work = sums.told()
  for (let turns = 0; ; turns++) {
    const { done, value } = work.next()
    if (done === true) return { turns, value }
  }
}

const row = (change: Partial<Spent>): Spent => ({
  ...{ day: '2026-11-19', context: '/', flowId: 'one', model: 'small' },
  ...{ calls: 1, input: 10, cached: 2, output: 5, cost: 1_500_000, unpriced: 0 },
  ...change
})

it('sums what was spent exactly, the dearest first, and lets others go on while it is told', () => {
  const rows = [
    row({ day: '2026-11-20', model: 'large', cost: 4_000_001 }),
    row({}),
    row({ flowId: 'two', context: '/acme' })
  ]
  const { turns, value } = summed(rows)
  assert.partialDeepStrictEqual(value.total, { calls: 3, input_tokens: 30, cost: 7.000001 })
  assert.deepEqual(
    value.days.map(({ day, cost, models }) => [day, cost, models.length]),
    [
      ['2026-11-19', 3, 1],
      ['2026-11-20', 4.000001, 1]
    ]
  )
  assert.deepEqual(
    value.models.map(({ model, cost }) => [model, cost]),
    [
      ['large', 4.000001],
      ['small', 3]
    ]
  )
  assert.deepEqual(
    value.flows.map(({ id }) => id),
    ['one', 'two']
  )
  assert.deepEqual(
    value.contexts.map(({ context }) => context),
    ['/', '/acme']
  )
  // For each day, model, flow and context.
  assert.ok(turns >= 9)
})
