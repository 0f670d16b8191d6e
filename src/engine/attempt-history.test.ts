import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { attemptHistory } from './attempt-history.ts'
import type { JournalEntry } from './journal.ts'
import type { StepRecord } from './step-record.ts'

const error = { code: 'x', message: 'not now' }
const begun = (node: string, attempt = 1) => ({ node, type: 'external', attempt })
const waits = (node: string, attempts: number, until: number) => {
  return { node, type: 'external', attempts, until, error }
}

function settled(node: string, more: Partial<StepRecord> = {}): StepRecord {
  const facts = { node, type: 'external', status: 'succeeded', attempts: 1 } as const
  return { ...facts, startedAt: 101, durationMs: 5.5, outputs: {}, error: null, ...more }
}

/** Entries that are written ten milliseconds apart, from 100 on. */
function journal(...news: Omit<JournalEntry, 'at' | 'startedAt'>[]): JournalEntry[] {
  return news.map((entry, index) => ({ at: 100 + index * 10, startedAt: 100, ...entry }))
}

/** `A1 101–106.5` is the first attempt of A; `…` where it has no end, `→` when it is tried again, `!` that it failed. */
function drawn(entries: readonly JournalEntry[], records: readonly StepRecord[] = []): string[] {
  return attemptHistory(entries, records).map(({ node, attempt, startedAt, endedAt, retryAt, error }) => {
    const wait = retryAt === null ? '' : ` → ${retryAt}`
    return `${node}${attempt} ${startedAt ?? '?'}–${endedAt ?? '…'}${error === null ? '' : '!'}${wait}`
  })
}

describe('the attempts of a run', () => {
  it('are empty where no step reaches outside', () => {
    assert.deepEqual(drawn([], [settled('A')]), [])
  })

  it('go on until something says that they ended', () => {
    assert.deepEqual(drawn(journal({ begun: [begun('A')] })), ['A1 100–…'])
  })

  it('end as the step measured it', () => {
    assert.deepEqual(drawn(journal({ begun: [begun('A')] }, { settled: [settled('A')] })), ['A1 101–106.5'])
  })

  it('end with the run where its end is the first to tell', () => {
    assert.deepEqual(drawn(journal({ begun: [begun('A')] }), [settled('A')]), ['A1 101–106.5'])
  })

  it('fail, wait and are made again', () => {
    const entries = journal(
      { begun: [begun('A')] },
      { waiting: [waits('A', 1, 115)] },
      { begun: [begun('A', 2)] }
    )
    const last = settled('A', { attempts: 2, startedAt: 121, status: 'failed', error })
    assert.deepEqual(drawn(entries, [last]), ['A1 100–110! → 115', 'A2 121–126.5!'])
  })

  it('end when they ended, and not when that was written', () => {
    const wait = { ...waits('A', 1, 104), endedAt: 103 }
    assert.deepEqual(drawn(journal({ begun: [begun('A')] }, { waiting: [wait] })), ['A1 100–103! → 104'])
  })

  it('end once, however often a wait is told', () => {
    const wait = { waiting: [waits('A', 1, 200)] }
    assert.deepEqual(drawn(journal({ begun: [begun('A')] }, wait, wait)), ['A1 100–110! → 200'])
  })

  it('of several steps stand side by side', () => {
    const entries = journal({ begun: [begun('A'), begun('B')] }, { waiting: [waits('B', 1, 200)] })
    assert.deepEqual(drawn(entries, [settled('A')]), ['A1 101–106.5', 'B1 100–110! → 200'])
  })

  it('have no end where the process died or the run was cancelled', () => {
    const cancelled = settled('A', { attempts: 2, status: 'cancelled', startedAt: null, durationMs: null })
    const entries = journal({ begun: [begun('A')] }, { begun: [begun('A', 2)] })
    assert.deepEqual(drawn(entries, [cancelled]), ['A1 100–…', 'A2 110–…'])
  })

  it('that were made before somebody retried the run have no times', () => {
    const entries = journal(
      { reopened: true, settled: [settled('A')], waiting: [waits('B', 3, 0)] },
      { begun: [begun('B', 4)] }
    )
    const last = settled('B', { attempts: 4, startedAt: 111, durationMs: 2 })
    assert.deepEqual(drawn(entries, [settled('A'), last]), ['B3 ?–…! → 100', 'B4 111–113'])
  })
})
