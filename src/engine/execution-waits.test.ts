import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { attemptHistory } from './attempt-history.ts'
import { asReadBack, type Behaviour, deferred, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import { StepError } from './step-error.ts'

const flaky: Behaviour = () => Promise.reject(new Error('not now'))

const onceFlaky: Behaviour = (call) => (call.attempt === 1 ? flaky(call) : Promise.resolve({}))

const retry = { attempts: 3, backoff_ms: 1_000, max_backoff_ms: 60_000 }

/** The same run, taken up from what its parking made durable. */
function resumed(stage: Stage, drawing: string, options: ConstructorParameters<typeof Stage>[1]): Stage {
  const journal = [...stage.journal, asReadBack(stage.parked.entry)]
  return new Stage(drawing, { ...options, journal, clock: stage.clock })
}

describe('R5: a failed attempt that may be repeated', () => {
  const nodes = { A: { retry } }

  it('parks the run until the next attempt is due', async () => {
    const stage = await new Stage('A! -> B', { nodes, steps: { A: flaky } }).play()
    assert.equal(stage.parked.dueAt, stage.clock.now() + 1_000)
    assert.deepEqual(stage.parked.entry.waiting, [
      {
        node: 'A',
        type: 'external',
        attempts: 1,
        endedAt: stage.clock.now(),
        until: stage.clock.now() + 1_000,
        error: { code: 'step_failed', message: 'not now' }
      }
    ])
  })

  it('goes on counting when the run is taken up again, and the wait doubles', async () => {
    const first = await new Stage('A! -> B', { nodes, steps: { A: flaky } }).play()
    first.clock.advance(1_000)
    const second = await resumed(first, 'A! -> B', { nodes, steps: { A: flaky } }).play()
    assert.equal(second.calls[0]!.attempt, 2)
    assert.equal(second.parked.dueAt, second.clock.now() + 2_000)
    second.clock.advance(2_000)
    const third = await resumed(second, 'A! -> B', { nodes }).play()
    assert.equal(third.ended.status, 'succeeded')
    assert.equal(third.record('A').attempts, 3)
    assert.equal(third.ended.startedAt, first.clock.now() - 3_000)
  })

  it('fails the step when the attempts are used up', async () => {
    const one = { A: { retry: { ...retry, attempts: 1 } } }
    const stage = await new Stage('A! -> B', { nodes: one, steps: { A: flaky } }).play()
    assert.equal(stage.ended.status, 'failed')
    assert.deepEqual(stage.statuses, { A: 'failed', B: 'not reached' })
  })

  it('is parked again when the run is taken up too early', async () => {
    const first = await new Stage('A!', { nodes, steps: { A: flaky } }).play()
    first.clock.advance(999)
    const early = await resumed(first, 'A!', { nodes }).play()
    assert.deepEqual(early.invoked, [])
    assert.equal(early.parked.dueAt, first.parked.dueAt)
    assert.deepEqual(early.parked.entry.waiting, first.parked.entry.waiting)
  })

  it('waits at least as long as the other side asked for', async () => {
    const busy = () => Promise.reject(Object.assign(new Error('busy'), { retryAfterMs: 9_000 }))
    const stage = await new Stage('A!', { nodes, steps: { A: busy } }).play()
    assert.equal(stage.parked.dueAt, stage.clock.now() + 9_000)
  })

  it('is due at a real moment even when the other side asked for nonsense', async () => {
    for (const retryAfterMs of [Number.NaN, Number.POSITIVE_INFINITY, -5, 1e300]) {
      const busy = () => Promise.reject(Object.assign(new Error('busy'), { retryAfterMs }))
      const { parked } = await new Stage('A!', { nodes, steps: { A: busy } }).play()
      assert.ok(!Number.isNaN(new Date(parked.dueAt!).getTime()), `${retryAfterMs} gives ${parked.dueAt}`)
    }
  })

  //  A! ─ C       A waits, the other branch goes on
  //  B! ─ D
  it('lets the other branches go on before the run is parked', async () => {
    const stage = await new Stage('A! -> C; B! -> D', { nodes, steps: { A: flaky } }).play()
    assert.deepEqual(stage.invoked, ['A', 'B', 'D'])
    const saved = [...stage.journal, stage.parked.entry].flatMap((entry) => entry.settled ?? [])
    assert.deepEqual(
      saved.map(({ node }) => node),
      ['B', 'D']
    )
  })

  it('is over on time while another branch is in flight, and is written down meanwhile', async () => {
    const long = deferred()
    const steps = { A: onceFlaky, B: () => long.promise }
    const stage = await new Stage('A!; B!', { nodes, steps }).play()
    assert.equal(stage.journal.at(-1)?.waiting?.[0]?.node, 'A')
    stage.clock.advance(retry.backoff_ms)
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['A', 'B', 'A'])
    long.resolve({})
    await turnOfTheLoop()
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('is over on time although its timer comes early by the wall clock', async () => {
    const clock = manualClock()
    const startTimer: typeof clock.startTimer = (ms, then) => clock.startTimer(Math.max(1, ms - 1), then)
    const steps = { A: onceFlaky, B: () => deferred().promise }
    const early = { ...clock, startTimer }
    const stage = await new Stage('A!; B!', { nodes, steps, clock: early }).play()
    clock.advance(retry.backoff_ms - 1)
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['A', 'B'])
    clock.advance(1)
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['A', 'B', 'A'])
  })

  it('is over on time although another process has taken the run up meanwhile', async () => {
    const steps = { A: onceFlaky, B: () => deferred().promise }
    const { journal, clock } = await new Stage('A!; B!', { nodes, steps }).play()
    clock.advance(retry.backoff_ms - 1)
    const stage = await new Stage('A!; B!', { nodes, steps, clock, journal }).play()
    assert.deepEqual(stage.invoked, ['B'])
    clock.advance(1)
    await turnOfTheLoop()
    assert.deepEqual(stage.invoked, ['B', 'A'])
  })

  it('is not waited for when another step has failed the run', async () => {
    const last = deferred()
    const stage = await new Stage('A!; B!', { nodes, steps: { A: flaky, B: () => last.promise } }).play()
    last.reject(new StepError('no', { retryable: false }))
    await turnOfTheLoop()
    assert.deepEqual(stage.statuses, { A: 'cancelled', B: 'failed' })
    assert.equal(stage.record('A').error?.message, 'not now')
  })
})

describe('R5: a failed attempt that is repeated by a schedule', () => {
  const drawing = 'A(scheduled) -> B'
  const byHand = (clock: { now(): number }) => {
    return { at: clock.now(), woken: [{ node: 'A', by: 'time', at: clock.now(), value: null }] } as const
  }

  it('waits in sight of everybody, and begins a further attempt when its time has come', async () => {
    const first = await new Stage(drawing, { steps: { A: flaky } }).play()
    assert.equal(first.parked.dueAt, first.clock.now() + 5_000)
    assert.deepEqual(first.parked.awaits, ['A'])
    first.clock.advance(5_000)
    const second = await resumed(first, drawing, { steps: { A: flaky } }).play()
    assert.partialDeepStrictEqual(second.calls[0], { attempt: 2, woken: undefined })
    assert.equal(second.parked.dueAt, second.clock.now() + 3_600_000)
    const [, wait] = attemptHistory([...second.journal, asReadBack(second.parked.entry)], [])
    assert.partialDeepStrictEqual(wait, {
      attempt: 2,
      retryAt: second.parked.dueAt,
      error: { code: 'step_failed', message: 'not now' }
    })
    second.clock.advance(3_600_000)
    const third = await resumed(second, drawing, {}).play()
    assert.equal(third.ended.status, 'succeeded')
    assert.equal(third.record('A').attempts, 3)
  })

  it('begins a further attempt when somebody lets it, and is not resumed after a crash in it', async () => {
    const first = await new Stage(drawing, { steps: { A: flaky } }).play()
    const journal = [...first.journal, asReadBack(first.parked.entry), byHand(first.clock)]
    const second = new Stage(drawing, {
      journal,
      clock: first.clock,
      steps: { A: () => new Promise(() => {}) }
    })
    second.start()
    await turnOfTheLoop()
    assert.partialDeepStrictEqual(second.calls[0], { attempt: 2, woken: undefined })
    const third = await new Stage(drawing, {
      journal: [...journal, ...second.journal],
      clock: first.clock
    }).play()
    assert.partialDeepStrictEqual(third.calls[0], { attempt: 3, woken: undefined })
    assert.equal(third.ended.status, 'succeeded')
  })

  it('is not resumed where somebody let it begin, and the run was cancelled before that and opened again', async () => {
    const clock = manualClock()
    const { woken } = byHand(clock)
    const error = { code: 'step_failed', message: 'not now' }
    const waiting = [{ node: 'A', type: 'scheduled', attempts: 1, until: 0, error }]
    const journal = [{ at: 0, startedAt: 0, reopened: true, waiting, woken } as const]
    const drawn = `${drawing}; C!`
    const stage = new Stage(drawn, { journal, clock, steps: { A: onceFlaky, C: () => deferred().promise } })
    stage.execution.woken('A', woken[0])
    await stage.play()
    assert.partialDeepStrictEqual(stage.calls[0], { attempt: 2, woken: undefined })
  })

  it('drops what comes of an attempt whose time was over', async () => {
    const late = deferred()
    const stage = new Stage(drawing, { nodes: { A: { timeout_ms: 100 } }, steps: { A: () => late.promise } })
    stage.start()
    await turnOfTheLoop()
    stage.clock.advance(100)
    late.resolve({ out: 'too late' })
    await turnOfTheLoop()
    const { parked } = stage
    assert.equal(parked.entry.settled, undefined)
    assert.equal(stage.journal.filter(({ waiting }) => waiting !== undefined).length, 1)
  })

  it('goes by the pause that the node says, where it says one', async () => {
    const nodes = { A: { retry: { backoff_ms: 100 } } }
    const stage = await new Stage(drawing, { nodes, steps: { A: flaky } }).play()
    assert.equal(stage.parked.dueAt, stage.clock.now() + 100)
    assert.deepEqual(stage.parked.awaits, [])
  })
})

describe('a failed attempt that may not be repeated', () => {
  it('fails at once when the error says so', async () => {
    const no = () => Promise.reject(new StepError('no', { retryable: false, code: 'refused' }))
    const stage = await new Stage('A!', { nodes: { A: { retry } }, steps: { A: no } }).play()
    assert.deepEqual([stage.ended.status, stage.ended.error?.code], ['failed', 'refused'])
  })

  it('fails at once when the step is pure: it would fail again', () => {
    const no = () => assert.fail('no')
    const stage = new Stage('A', { nodes: { A: { retry } }, steps: { A: no } }).start()
    assert.equal(stage.ended.status, 'failed')
    assert.equal(stage.calls.length, 1)
  })
})

describe('stopping while a step waits', () => {
  //  A!           waits an hour for its next attempt
  //  B! ─ C       B is in flight, C would be next
  it('does not make the other branch wait as well', async () => {
    const nodes = { A: { retry: { attempts: 2, backoff_ms: 3_600_000, max_backoff_ms: 3_600_000 } } }
    const last = deferred()
    const steps = { A: flaky, B: () => last.promise }
    const stage = await new Stage('A!; B! -> C', { nodes, steps }).play()
    stage.execution.interrupt()
    last.resolve({ out: 'b' })
    await turnOfTheLoop()
    assert.equal(stage.parked.dueAt, stage.clock.now())
    const again = resumed(stage, 'A!; B! -> C', { nodes }).start()
    assert.deepEqual(again.invoked, ['C'])
    assert.equal(again.parked.dueAt, stage.clock.now() + 3_600_000)
  })
})
