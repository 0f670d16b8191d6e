import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { summary } from '../feed/run-summary.test-kit.ts'
import { isBlank, matchesQuestion, NO_FILTER, questionOf, readFilter, writeFilter } from './run-filter.ts'

const NOW = Date.parse('2026-01-31T12:00:00Z')

describe('the filter of runs', () => {
  it('is kept in the address and read from it', () => {
    const filter = {
      ...NO_FILTER,
      state: 'failed',
      flow: 'f1',
      text: 'Ann & Bob',
      since: '2026-01-31T10:00:00.000Z',
      until: '2026-01-31T11:00:00.000Z',
      tests: 'without'
    } as const
    const params = new URLSearchParams(writeFilter(filter))
    assert.deepEqual(readFilter(params), filter)
    assert.equal(params.get('q'), 'Ann & Bob')
  })

  it('leaves out what is blank, and what cannot be', () => {
    assert.deepEqual(writeFilter(NO_FILTER), {})
    const odd = new URLSearchParams('state=odd&range=9y&since=soon&until=&tests=maybe')
    assert.deepEqual(readFilter(odd), NO_FILTER)
    assert.ok(isBlank(readFilter(odd)))
  })

  it('asks the service from a time on that moves with the clock', () => {
    const question = questionOf({ ...NO_FILTER, range: '1h', until: '2026-01-01T00:00:00.000Z' }, NOW)
    assert.deepEqual([question.since, question.until], ['2026-01-31T11:00:00.000Z', undefined])
  })

  it('asks for tests alone, or for none of them', () => {
    const asked = (['only', 'without', ''] as const).map(
      (tests) => questionOf({ ...NO_FILTER, tests }, NOW).test
    )
    assert.deepEqual(asked, [true, false, undefined])
  })

  it('asks for nothing that was not chosen', () => {
    const asked = Object.values(questionOf({ ...NO_FILTER, text: '  ' }, NOW))
    assert.ok(asked.every((value) => value === undefined))
  })
})

describe('a run that came live', () => {
  const run = summary('a', { status: 'failed', created_at: '2026-01-31T11:00:00.000Z' })

  it('matches by flow, state and time', () => {
    const question = { flow_id: 'flow-1', status: 'failed', since: '2026-01-31T11:00:00.000Z' } as const
    assert.ok(matchesQuestion(run, question))
    assert.ok(matchesQuestion(run, {}))
  })

  it('does not match when one of them differs', () => {
    for (const question of [
      { flow_id: 'flow-2' },
      { status: 'succeeded' },
      { since: '2026-01-31T11:00:00.001Z' },
      { until: '2026-01-31T11:00:00.000Z' },
      { test: true }
    ] as const)
      assert.ok(!matchesQuestion(run, question), JSON.stringify(question))
  })
})
