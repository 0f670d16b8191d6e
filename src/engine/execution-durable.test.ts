import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StepWait } from '../flows/step/step-wait.ts'
import { type Behaviour, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import type { JournalEntry } from './journal.ts'
import type { StepRecord } from './step-record.ts'

/** Entries that are waiting to be written, by what they say. */
function heldOf(stage: Stage, has: (entry: JournalEntry) => boolean) {
  const found = stage.held.find(({ entry }) => has(entry))
  assert.ok(found, 'such an entry is to be written')
  stage.held.splice(stage.held.indexOf(found), 1)
  return found
}

const settles = (node: string) => (entry: JournalEntry) =>
  entry.settled?.some((record) => record.node === node) === true
const begins = (node: string) => (entry: JournalEntry) =>
  entry.begun?.some((step) => step.node === node) === true
const waits = (node: string) => (entry: JournalEntry) =>
  entry.waiting?.some((step) => step.node === node) === true

describe('what is saved before a step', () => {
  //  A! ┬ B!     the save of A, with which B begins, is tried again while that of C is taken
  //     └ C!
  it('is durable when the step begins, whatever overtakes it on the way', async () => {
    const stage = new Stage('A! -> B!; A -> C!', { holdsCheckpoints: true }).start()
    heldOf(stage, begins('A')).commit()
    await turnOfTheLoop()
    const saveOfA = heldOf(stage, settles('A'))
    heldOf(stage, begins('C')).commit()
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['A'])
    saveOfA.commit()
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['A', 'B', 'C'])
  })

  it('is durable when others are told of a wait', async () => {
    const ask: Behaviour = () => new StepWait({ kind: 'call', until: null })
    const slow: Behaviour = async () => ({ out: 'late' })
    const stage = new Stage('A! -> K -> B', { holdsCheckpoints: true, steps: { K: slow, B: ask } }).start()
    heldOf(stage, begins('A')).commit()
    await turnOfTheLoop()
    await turnOfTheLoop()
    const saveOfA = heldOf(stage, settles('A'))
    assert.deepEqual(stage.held, [], 'nobody is told of the wait')
    saveOfA.commit()
    await turnOfTheLoop()
    heldOf(stage, waits('B')).commit()
  })

  it('does not keep a pause between attempts from being written and timed', async () => {
    const steps: Record<string, Behaviour> = { B: () => Promise.reject(new Error('not now')) }
    const nodes = { B: { retry: { attempts: 2, backoff_ms: 1_000 } } }
    const stage = new Stage('A!; B! -> C', { holdsCheckpoints: true, steps, nodes }).start()
    heldOf(stage, begins('A')).commit()
    heldOf(stage, begins('B')).commit()
    await turnOfTheLoop()
    const saveOfA = heldOf(stage, settles('A'))
    heldOf(stage, waits('B')).commit()
    stage.clock.advance(1_000)
    await turnOfTheLoop()
    heldOf(stage, begins('B')).commit()
    saveOfA.commit()
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['A', 'B', 'B'])
  })
})

describe('a run that is taken up', () => {
  const record = (node: string, out: string): StepRecord => ({
    node,
    type: 'any',
    status: 'succeeded',
    attempts: 1,
    startedAt: 0,
    durationMs: 0,
    outputs: { out },
    error: null
  })

  it('computes a pure step anew that was made of what is not durable', async () => {
    const journal: JournalEntry[] = [
      { at: 0, startedAt: 0, begun: [{ node: 'A', type: 'external', attempt: 1 }] },
      { at: 0, startedAt: 0, settled: [record('K', 'of the lost result')] }
    ]
    const stage = await new Stage('A! -> K -> C!', { journal }).play()
    assert.deepEqual(stage.invoked, ['A', 'K', 'C'])
    assert.notEqual(stage.record('K').outputs?.out, 'of the lost result')
  })

  it('keeps one whose way there is known, also past a step that is disabled', async () => {
    const journal: JournalEntry[] = [
      { at: 0, startedAt: 0, settled: [record('A', 'a'), record('K', 'k')] },
      { at: 0, startedAt: 0, begun: [{ node: 'C', type: 'external', attempt: 1 }] }
    ]
    const nodes = { X: { disabled: true } }
    const stage = await new Stage('A! -> X -> K -> C!', { journal, nodes }).play()
    assert.deepEqual(stage.invoked, ['C'])
  })

  it('keeps one that is wired from a step that a disabled one has silenced', async () => {
    const journal: JournalEntry[] = [
      { at: 0, startedAt: 0, settled: [record('A', 'a'), record('K', 'k')] },
      { at: 0, startedAt: 0, begun: [{ node: 'C', type: 'external', attempt: 1 }] }
    ]
    const nodes = { X: { disabled: true } }
    const stage = await new Stage('A! -> K -> C!; X -> Y -> K', { journal, nodes }).play()
    assert.ok(!stage.invoked.includes('K'), 'it is recorded as done')
  })

  it('keeps what came for a step before its turn, also behind one that is run again', async () => {
    const journal: JournalEntry[] = [
      { at: 0, startedAt: 0, begun: [{ node: 'A', type: 'external', attempt: 1 }] },
      { at: 0, woken: [{ node: 'K', by: 'call', at: 0, value: 'early' }] }
    ]
    const stage = await new Stage('A! -> K', { journal }).play()
    assert.equal(stage.calls.find(({ node }) => node.id === 'K')?.woken?.value, 'early')
  })
})

describe('an answer', () => {
  const answers: Behaviour = (call) => {
    call.answer = { at: 1, status: 200, headers: {}, body: 'yes' }
    return { out: 1 }
  }

  it('is written once, with the end, where all that follows comes back at once', async () => {
    const stage = await new Stage('A -> B', { steps: { A: answers } }).play()
    assert.deepEqual([stage.log, stage.journal], [['invoke A', 'invoke B'], []])
    assert.equal(stage.ended.steps[0]!.answer?.body, 'yes')
  })

  it('is written at once where something takes longer', async () => {
    for (const following of ['B', 'B!']) {
      const stage = await new Stage(`A -> ${following}`, {
        steps: { A: answers, B: () => new Promise(() => {}) }
      }).play()
      assert.equal(stage.ending, undefined)
      assert.equal(stage.journal[0]!.settled?.[0]?.answer?.body, 'yes')
    }
  })
})
