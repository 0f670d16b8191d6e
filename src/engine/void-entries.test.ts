import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JournalEntry, recall } from './journal.ts'
import { voidEntries } from './void-entries.ts'

const step = { node: 'again', type: 'repeat' }
const begun = (at: number, attempt = 1): JournalEntry => ({ at, startedAt: 1, begun: [{ ...step, attempt }] })
const parked = (at: number): JournalEntry => ({ at, startedAt: 1, isParked: true })

function waits(at: number, isFurther = true): JournalEntry {
  const wait = {
    id: `w${at}`,
    kind: 'children',
    since: 1,
    ...(isFurther && { isFurther: true as const })
  } as const
  return { at, startedAt: 1, waiting: [{ ...step, attempts: 1, until: null, error: null, wait }] }
}

const woken = (at: number): JournalEntry => ({
  ...begun(at),
  woken: [{ node: 'again', by: 'children', at, value: null }]
})

function kept(entries: readonly JournalEntry[]): number[] {
  const isVoid = voidEntries(entries)
  return entries.flatMap(({ at }, place) => (isVoid[place] ? [] : [at]))
}

describe('void entries', () => {
  it('are those of the waits before the last of a step, and the journal tells the same without them', () => {
    const settled: JournalEntry = {
      at: 6,
      settled: [
        {
          node: 'other',
          type: 'x',
          status: 'succeeded',
          attempts: 1,
          startedAt: 1,
          durationMs: 1,
          outputs: {},
          error: null
        }
      ]
    }
    const entries = [
      begun(1),
      waits(2, false),
      parked(3),
      woken(4),
      waits(5),
      settled,
      parked(7),
      woken(8),
      waits(9),
      parked(10)
    ]
    assert.deepEqual(kept(entries), [1, 6, 9, 10])
    const isVoid = voidEntries(entries)
    assert.deepEqual(recall(entries.filter((_, place) => !isVoid[place])), recall(entries))
  })

  it('are none while the step has waited once, or is tried again', () => {
    const once = [begun(1), waits(2, false), parked(3)]
    assert.deepEqual(kept(once), [1, 2, 3])
    const pause: JournalEntry = {
      at: 4,
      waiting: [{ ...step, attempts: 1, until: 5, error: { code: 'x', message: 'x' } }]
    }
    assert.deepEqual(kept([begun(1), waits(2, false), parked(3), pause, begun(5, 2)]), [1, 2, 3, 4, 5])
  })

  it('are not those that tell more: what came from outside, or what was left in order', () => {
    const call: JournalEntry = { at: 3, woken: [{ node: 'call', by: 'call', at: 3, value: 1 }] }
    const left: JournalEntry = { at: 4, left: ['again'] }
    assert.deepEqual(kept([begun(1), waits(2, false), call, left, woken(5), waits(6)]), [1, 3, 4, 6])
  })
})
