import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { deferred, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import type { JournalEntry } from './journal.ts'
import { DEADLY_AFTER } from './progress.ts'

describe('a run of pure steps', () => {
  //  A ┬ B ┬ D
  //    └ C ┘
  it('ends before start returns and checkpoints nothing', () => {
    const stage = new Stage('A -> B -> D; A -> C -> D').start()
    assert.equal(stage.ended.status, 'succeeded')
    assert.deepEqual(stage.invoked, ['A', 'B', 'C', 'D'])
    assert.deepEqual(stage.record('D').outputs, { out: 'D(B(A()),C(A()))' })
    assert.deepEqual(stage.journal, [])
  })

  it('of ten thousand steps does not run out of stack', () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => `N${index}`).join(' -> ')
    const stage = new Stage(chain, { steps: {} }).start()
    assert.equal(stage.ended.status, 'succeeded')
    assert.equal(stage.calls.length, 10_000)
  })

  it('without any step succeeds', () => {
    assert.equal(new Stage('').start().ended.status, 'succeeded')
  })

  it('waits for a pure step that is asynchronous', async () => {
    const later = deferred()
    const stage = new Stage('A -> B', { steps: { A: () => later.promise } }).start()
    assert.equal(stage.ending, undefined)
    later.resolve({ out: 'late' })
    await turnOfTheLoop()
    assert.deepEqual(stage.record('B').outputs, { out: 'B(late)' })
  })

  it('records when each step began and how long it took', () => {
    const clock = manualClock()
    const after = (ms: number) => () => {
      clock.advance(ms)
      return { out: 1 }
    }
    const steps = { A: after(40), B: after(2) }
    const stage = new Stage('A -> B', { clock, steps }).start()
    const { startedAt } = stage.ended
    assert.deepEqual([stage.record('A').startedAt, stage.record('A').durationMs], [startedAt, 40])
    assert.deepEqual([stage.record('B').startedAt, stage.record('B').durationMs], [startedAt + 40, 2])
  })

  it('gives every wire as a member of its own, whatever its name', () => {
    const { inputs } = new Stage('__proto__ -> B').start().calls[1]!
    assert.deepEqual(Object.entries(inputs), [['__proto__', '__proto__()']])
    assert.equal(Object.getPrototypeOf(inputs), Object.prototype)
  })

  it('R1: gives a wire that carries nothing as undefined', () => {
    const stage = new Stage('A -> C; B -> C', { steps: { A: () => ({ other: 1 }) } }).start()
    assert.deepEqual(stage.calls[2]!.inputs, { A: undefined, B: 'B()' })
  })
})

describe('branches', () => {
  //  A!      B!      both reach outside
  it('run in parallel: the second begins while the first is in flight', async () => {
    const first = deferred()
    const stage = await new Stage('A! -> C; B! -> D', { steps: { A: () => first.promise } }).play()
    assert.deepEqual(stage.invoked, ['A', 'B', 'D'])
    first.resolve({ out: 'a' })
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['A', 'B', 'D', 'C'])
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('R4: let steps in flight come to their end after a failure, and start nothing more', async () => {
    const slow = deferred()
    const stage = await new Stage('A! -> C; B! -> D', {
      steps: { A: () => Promise.reject(new Error('no')), B: () => slow.promise }
    }).play()
    assert.equal(stage.ending, undefined)
    slow.resolve({ out: 'b' })
    await turnOfTheLoop()
    assert.equal(stage.ended.status, 'failed')
    assert.deepEqual(stage.statuses, { A: 'failed', B: 'succeeded', C: 'not reached', D: 'not reached' })
    assert.deepEqual(stage.ended.error, {
      node: 'A',
      code: 'step_failed',
      message: 'Node "A" (external) failed: no'
    })
  })

  it('R4: name the step that failed first, also after a crash', async () => {
    const slow = deferred()
    const steps = { A: () => slow.promise, B: () => Promise.reject(new Error('b')) }
    const stage = await new Stage('A!; B!; C!', { steps: { ...steps, C: () => deferred().promise } }).play()
    slow.reject(new Error('a'))
    await turnOfTheLoop()
    const again = new Stage('A!; B!; C!', { journal: stage.journal }).start()
    assert.equal(again.ended.error?.node, 'B')
  })
})

describe('a step that reaches outside', () => {
  //  A ─ B! ─ C
  it('is not invoked before its beginning is durable', async () => {
    const stage = new Stage('A -> B! -> C', { holdsCheckpoints: true }).start()
    await turnOfTheLoop()
    assert.deepEqual(stage.log, ['invoke A', 'save A', 'begin B'])
    stage.held[0]!.commit()
    await turnOfTheLoop()
    assert.deepEqual(stage.log.slice(3, 5), ['durable', 'invoke B'])
  })

  it('is saved after it, and what follows does not wait for that', async () => {
    const later = deferred()
    const stage = await new Stage('A! -> B -> C', { steps: { C: () => later.promise } }).play()
    assert.deepEqual(stage.log.slice(2), ['invoke A', 'invoke B', 'invoke C', 'save A', 'save B', 'durable'])
  })

  //  A! ─ B ─ C!
  it('is saved together with the beginning of the next one', async () => {
    const stage = await new Stage('A! -> B -> C!').play()
    const [, second, ...others] = stage.journal
    assert.deepEqual(
      second!.settled?.map(({ node }) => node),
      ['A', 'B']
    )
    assert.deepEqual(second!.begun, [{ node: 'C', type: 'external', attempt: 1 }])
    assert.deepEqual(others, [])
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('is saved when it failed and others are still in flight', async () => {
    const steps = { A: () => Promise.reject(new Error('no')), B: () => deferred().promise }
    const stage = await new Stage('A!; B!', { steps }).play()
    assert.equal(stage.journal.at(-1)!.settled?.[0]?.status, 'failed')
  })

  it('does not count the wait for its checkpoint as its own time', async () => {
    const stage = new Stage('A!', { holdsCheckpoints: true }).start()
    stage.clock.advance(500)
    stage.held[0]!.commit()
    await turnOfTheLoop()
    assert.equal(stage.record('A').durationMs, 0)
    assert.equal(stage.record('A').startedAt, stage.ended.startedAt + 500)
  })

  it('gets its messages back after a crash', async () => {
    const before = await new Stage('A! -> B!', { steps: { B: () => deferred().promise } }).play()
    const after = await new Stage('A! -> B!', { journal: before.journal }).play()
    assert.deepEqual(after.invoked, ['B'])
    assert.equal(after.record('A').messages?.[0]?.text, 'A was here')
    assert.equal(after.record('B').messages?.[0]?.text, 'B was here')
  })
})

describe('a run that ended elsewhere', () => {
  it('is lost when a beginning is refused: the step is not invoked', async () => {
    const stage = new Stage('A!', { holdsCheckpoints: true }).start()
    stage.held[0]!.commit(false)
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'lost' })
    assert.deepEqual(stage.invoked, [])
  })

  //  A! ─ C       B! is in flight when saving A is refused
  it('is lost when a result is refused, and steps in flight are told to stop', async () => {
    const stage = new Stage('A! -> C; B!', {
      holdsCheckpoints: true,
      steps: { B: () => deferred().promise, C: () => deferred().promise }
    }).start()
    for (const held of stage.held.splice(0)) held.commit()
    await turnOfTheLoop()
    const [, b] = stage.calls
    stage.held[0]!.commit(false)
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'lost' })
    assert.equal(b!.abort.signal.aborted, true)
  })
})

describe('a step that crashes the process', () => {
  const crash: JournalEntry = { at: 0, startedAt: 0, begun: [{ node: 'A', type: 'any', attempt: 1 }] }
  const crashes = (count: number) => new Array<JournalEntry>(count).fill(crash)

  for (const [effects, drawing] of [
    ['external', 'A! -> B'],
    ['pure', 'A -> B']
  ] as const) {
    const limit = DEADLY_AFTER[effects]

    it(`is tried again while it has died fewer times than the limit (${effects})`, async () => {
      const stage = await new Stage(drawing, { journal: crashes(limit - 1) }).play()
      assert.equal(stage.ended.status, 'succeeded')
    })

    it(`fails once it has died that often, and says why (${effects})`, async () => {
      const stage = await new Stage(drawing, { journal: crashes(limit) }).play()
      assert.deepEqual(stage.invoked, [])
      assert.equal(stage.ended.error?.code, 'step_crashes_process')
      assert.match(stage.ended.error!.message, new RegExp(`died ${limit} times .* retry the run`))
      assert.deepEqual(stage.statuses, { A: 'failed', B: 'not reached' })
    })
  }

  it('fails at the second time where it is known to have held the thread', async () => {
    const tried = await new Stage('A -> B', { hangs: { A: 1 } }).play()
    assert.equal(tried.ended.status, 'succeeded')
    const refused = await new Stage('A! -> B', { hangs: { A: 2 } }).play()
    assert.deepEqual(refused.invoked, [])
    assert.equal(refused.ended.error?.code, 'step_blocks_process')
    assert.match(refused.ended.error!.message, /2 times.*pause in between.*retry the run/)
  })

  it('is written down before it begins where the run is a suspect, pure or not', async () => {
    const stage = await new Stage('A -> B!', { isSuspect: true }).play()
    assert.deepEqual(stage.log, [
      ...['begin A', 'durable', 'invoke A'],
      ...['save A', 'begin B', 'durable', 'invoke B']
    ])
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('is the only pure one of a suspect that has begun, so that no other is blamed', async () => {
    const slow = deferred()
    const stage = await new Stage('A; B; C!', { isSuspect: true, steps: { A: () => slow.promise } }).play()
    assert.deepEqual(stage.invoked, ['A', 'C'])
    slow.resolve({ out: 1 })
    await turnOfTheLoop()
    assert.ok(stage.log.indexOf('save A') < stage.log.indexOf('begin B'))
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('is cleared as soon as it has an end, whatever the run still waits for', async () => {
    const steps = { B: () => deferred().promise }
    const stage = await new Stage('A; B!', { isSuspect: true, steps }).play()
    assert.deepEqual(
      stage.journal.at(-1)!.settled?.map(({ node }) => node),
      ['A']
    )
  })
})
