import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EMPTY_JOURNAL, type JournalEntry, recall } from './journal.ts'
import type { StepRecord } from './step-record.ts'

const begun = (node: string, attempt = 1) => ({ node, type: 'external', attempt })
const waits = (node: string, attempts: number) => ({
  node,
  type: 'external',
  attempts,
  until: 9_000,
  error: { code: 'step_failed', message: 'not now' }
})
const settled = (node: string): StepRecord => ({
  node,
  type: 'external',
  status: 'succeeded',
  attempts: 1,
  startedAt: 1,
  durationMs: 1,
  outputs: {},
  error: null
})

function journal(...news: Omit<JournalEntry, 'at' | 'startedAt'>[]): JournalEntry[] {
  return news.map((entry, index) => ({ at: index, startedAt: 100, ...entry }))
}

describe('recall', () => {
  it('of an empty journal is nothing', () => {
    assert.equal(recall([]), EMPTY_JOURNAL)
  })

  it('knows when the run began from its first entry', () => {
    assert.equal(recall(journal({ begun: [begun('A')] })).startedAt, 100)
  })

  it('takes an attempt without an end for one that the process died in', () => {
    const { begun: open, interruptions } = recall(journal({ begun: [begun('A', 3)] }))
    assert.equal(open.get('A')?.attempt, 3)
    assert.equal(interruptions.get('A'), 1)
  })

  it('takes a settled step out of what began', () => {
    const recalled = recall(
      journal({ begun: [begun('A')] }, { settled: [settled('A')], begun: [begun('B')] })
    )
    assert.deepEqual([...recalled.begun.keys()], ['B'])
    assert.deepEqual([...recalled.settled.keys()], ['A'])
    assert.equal(recalled.interruptions.has('A'), false)
  })

  it('holds nothing against a step that came to an end after it was cut off', () => {
    const deaths = [{ begun: [begun('A')] }, { begun: [begun('A')] }]
    const { interruptions } = recall(journal(...deaths, { settled: [settled('A')] }))
    assert.equal(interruptions.has('A'), false)
  })

  it('keeps the order in which steps settled', () => {
    const recalled = recall(journal({ settled: [settled('B')] }, { settled: [settled('A'), settled('C')] }))
    assert.deepEqual([...recalled.settled.keys()], ['B', 'A', 'C'])
  })

  it('takes a step that waits out of what began, until it begins again', () => {
    const entries = journal({ begun: [begun('A')] }, { waiting: [waits('A', 1)] })
    assert.equal(recall(entries).waiting.get('A')?.attempts, 1)
    assert.equal(recall(entries).begun.size, 0)
    const later = recall([...entries, ...journal({ begun: [begun('A', 2)] })])
    assert.equal(later.waiting.size, 0)
    assert.equal(later.begun.get('A')?.attempt, 2)
  })

  it('passes over what was refused and came late: the step has begun again, or is settled', () => {
    const pause = { waiting: [waits('A', 1)] }
    const again = recall(journal({ begun: [begun('A')] }, { begun: [begun('A', 2)] }, pause))
    assert.deepEqual([again.waiting.size, again.begun.get('A')?.attempt], [0, 2])
    const ended = recall(journal({ begun: [begun('A', 2)] }, { settled: [settled('A')] }, pause))
    assert.deepEqual([ended.waiting.size, ended.begun.size, ended.settled.size], [0, 0, 1])
  })

  it('counts every death in the middle of a step', () => {
    const deaths = journal({ begun: [begun('A')] }, { begun: [begun('A', 2)] }, { begun: [begun('A', 3)] })
    assert.equal(recall(deaths).interruptions.get('A'), 3)
  })

  it('does not count a stop in order, in which the step was left', () => {
    const stop = [{ begun: [begun('A')] }, { left: ['A'] }]
    const recalled = recall(journal(...stop, ...stop, ...stop))
    assert.deepEqual([recalled.interruptions.size, recalled.begun.get('A')?.attempt], [0, 1])
    assert.equal(recall(journal(...stop, { begun: [begun('A', 2)] })).interruptions.get('A'), 1)
  })

  it('forgets the deaths once the step came to a result', () => {
    const deaths = journal({ begun: [begun('A')] }, { begun: [begun('A', 2)] }, { waiting: [waits('A', 2)] })
    assert.equal(recall(deaths).interruptions.get('A'), undefined)
    const again = recall([...deaths, ...journal({ begun: [begun('A', 3)] })])
    assert.equal(again.interruptions.get('A'), 1)
  })

  it('does not blame one step for the death of another', () => {
    const entries = journal({ begun: [begun('A')] }, { settled: [settled('A')], begun: [begun('B')] })
    assert.deepEqual([...recall(entries).interruptions], [['B', 1]])
  })
})
