import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { acceptedRun, storedRun } from '../record/stored-run.test-kit.ts'
import { emptyStore, settle, setUp } from './dispatcher.test-kit.ts'
import type { DispatcherDeps } from './dispatcher.ts'

describe('a flow that is paused', () => {
  /** What waits in the store, as it may be changed by the test; reads are answered when it says so. */
  function heldAnswers() {
    const waiting = new Set<number>()
    const answers: (() => void)[] = []
    const store: DispatcherDeps['store'] = {
      ...emptyStore,
      queued: async (_flowId, after) => {
        const runs = [...waiting].filter((seq) => seq > after).map((seq) => storedRun(seq))
        await new Promise<void>((resolve) => answers.push(resolve))
        return { runs, isLast: true }
      },
      lastChange: async () => 100
    }
    return { waiting, answers, store }
  }

  it('begins nothing that was in memory or on its way there, and each run once when it is resumed', async () => {
    const clock = manualClock()
    const { waiting, answers, store } = heldAnswers()
    const log: number[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store,
      places: { computing: 2, underWay: 100 },
      execute: ({ run }, _, listener) => {
        log.push(run.seq)
        ends.push(() => {
          waiting.delete(run.seq)
          listener.done('ended')
        })
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    for (const seq of [1, 2, 3]) {
      waiting.add(seq)
      dispatcher.offer(acceptedRun(seq))
    }
    await settle(clock)
    assert.deepEqual(log, [1])
    dispatcher.pauseChanged('flow-1', true)
    dispatcher.pauseChanged('flow-1', false)
    await settle(clock)
    // What was asked for before it was paused a second time must not come in.
    assert.equal(answers.length, 1)
    dispatcher.pauseChanged('flow-1', true)
    for (const answer of answers.splice(0)) answer()
    ends.shift()!()
    await settle(clock)
    assert.deepEqual(log, [1])
    dispatcher.pauseChanged('flow-1', false)
    for (let turn = 0; turn < 5; turn++) {
      await settle(clock)
      for (const answer of answers.splice(0)) answer()
      await settle(clock)
      ends.shift()?.()
    }
    assert.deepEqual(log, [1, 2, 3])
    await dispatcher.stop()
  })

  it('goes on with a run that had begun, also where that waits for its turn after a crash', async () => {
    const clock = manualClock()
    const { waiting, answers, store } = heldAnswers()
    const log: number[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store: { ...store, backlog: async () => new Map([['flow-1', 3]]) },
      execute: ({ run }, _, listener) => {
        log.push(run.seq)
        ends.push(() => {
          waiting.delete(run.seq)
          listener.done('ended')
        })
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    const readAll = async () => {
      await settle(clock)
      for (const answer of answers.splice(0)) answer()
      await settle(clock)
    }
    for (const seq of [1, 2, 3]) waiting.add(seq)
    await dispatcher.start()
    await readAll()
    // Of those in memory the store holds the one that has not begun.
    waiting.delete(3)
    dispatcher.pauseChanged('flow-1', true)
    ends.shift()!()
    await readAll()
    assert.deepEqual(log, [1, 2])
    ends.shift()!()
    await dispatcher.stop()
  })

  it('does not begin a run anew that was under way all the time', async () => {
    const clock = manualClock()
    const { waiting, answers, store } = heldAnswers()
    const log: number[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store,
      execute: ({ run }, _, listener) => {
        log.push(run.seq)
        ends.push(() => listener.done('ended'))
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      },
      limitOf: () => 5,
      places: { computing: 5, underWay: 100 }
    })
    waiting.add(1)
    dispatcher.offer(acceptedRun(1))
    await settle(clock)
    dispatcher.pauseChanged('flow-1', true)
    waiting.add(2)
    dispatcher.pauseChanged('flow-1', false)
    await settle(clock)
    for (const answer of answers.splice(0)) answer()
    await settle(clock)
    assert.deepEqual(log, [1, 2])
    for (const end of ends) end()
    await dispatcher.stop()
  })
})
