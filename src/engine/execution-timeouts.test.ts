import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Behaviour, deferred, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import { StepError } from './step-error.ts'

const retry = { attempts: 3, backoff_ms: 1_000, max_backoff_ms: 60_000 }

describe('a step with a time limit', () => {
  const nodes = { A: { timeout_ms: 5_000 } }

  it('fails when the time is over, and its signal is aborted', async () => {
    const stage = await new Stage('A! -> B', { nodes, steps: { A: () => deferred().promise } }).play()
    const { signal } = stage.calls[0]!.abort
    stage.clock.advance(4_999)
    assert.deepEqual([stage.ending, signal.aborted], [undefined, false])
    stage.clock.advance(1)
    assert.equal(stage.ended.error?.code, 'step_timeout')
    assert.match(stage.ended.error!.message, /5000 ms.*timeout_ms/)
    assert.equal((signal.reason as StepError).code, 'step_timeout')
    assert.equal(stage.record('A').durationMs, 5_000)
  })

  it('has that time for itself: what it waits for its turn does not count', async () => {
    const stage = await new Stage('A! -> B', { nodes, steps: { A: () => deferred().promise } }).play()
    const { held } = stage.calls[0]!
    stage.clock.advance(1_000)
    const [release, other] = [held!.begin(), held!.begin()]
    stage.clock.advance(60_000)
    release()
    stage.clock.advance(1_000)
    other()
    stage.clock.advance(3_990)
    assert.equal(stage.ending, undefined)
    const again = held!.begin()
    stage.clock.advance(7_000)
    again()
    stage.clock.advance(9)
    assert.equal(stage.ending, undefined)
    stage.clock.advance(1)
    assert.equal(stage.ended.error?.code, 'step_timeout')
    assert.equal(stage.clock.timers, 0)
  })

  it('that nobody set fails after two minutes when it reaches outside: a hung call does not hold its place for ever', async () => {
    const stage = await new Stage('A! -> B', { steps: { A: () => deferred().promise } }).play()
    stage.clock.advance(119_999)
    assert.equal(stage.ending, undefined)
    stage.clock.advance(1)
    assert.equal(stage.ended.error?.code, 'step_timeout')
  })

  it('aborts a signal that the component looks at only later', async () => {
    const stage = await new Stage('A!', { nodes, steps: { A: () => deferred().promise } }).play()
    stage.clock.advance(5_000)
    assert.equal(stage.calls[0]!.abort.signal.aborted, true)
  })

  it('leaves no timer behind when it ends in time', async () => {
    const stage = await new Stage('A!', { nodes }).play()
    assert.equal(stage.ended.status, 'succeeded')
    assert.equal(stage.clock.timers, 0)
  })

  it('R9: drops a result that comes too late', async () => {
    const late = deferred()
    const stage = await new Stage('A! -> B', { nodes, steps: { A: () => late.promise } }).play()
    stage.clock.advance(5_000)
    late.resolve({ out: 'too late' })
    await turnOfTheLoop()
    assert.deepEqual(stage.statuses, { A: 'failed', B: 'not reached' })
    assert.equal(stage.record('A').outputs, null)
  })

  it('takes what came while the process stood still, and fails soon after where nothing did', async () => {
    const answers = [deferred(), deferred()]
    const stages = []
    for (const { promise } of answers)
      stages.push(await new Stage('A!', { nodes, steps: { A: () => promise } }).play())
    const [answered, silent] = stages
    for (const { clock } of stages) clock.freeze(9_000)
    answers[0]!.resolve({ out: 'in time' })
    await turnOfTheLoop()
    assert.equal(answered!.ended.status, 'succeeded')
    assert.equal(silent!.ending, undefined)
    silent!.clock.advance(1_000)
    assert.equal(silent!.ended.error?.code, 'step_timeout')
  })

  it('waits for its next attempt where the policy allows one', async () => {
    const policy = { A: { timeout_ms: 5_000, retry } }
    const stage = await new Stage('A!', { nodes: policy, steps: { A: () => deferred().promise } }).play()
    stage.clock.advance(5_000)
    assert.equal(stage.parked.entry.waiting?.[0]?.error?.code, 'step_timeout')
  })

  it('is not tried again where the component said that its work may have been done', async () => {
    const policy = { A: { timeout_ms: 5_000, retry } }
    const steps: Record<string, Behaviour> = {
      A: (call) => {
        call.timeoutError = () => new StepError('It was sent.', { code: 'unknown', retryable: false })
        return deferred().promise
      }
    }
    const stage = await new Stage('A!', { nodes: policy, steps }).play()
    stage.clock.advance(5_000)
    assert.equal(stage.calls.length, 1)
    assert.equal(stage.ended.error?.code, 'unknown')
    assert.match(stage.ended.error!.message, /It took longer than 5000 ms\. It was sent\.$/)
  })
})
