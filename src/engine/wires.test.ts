import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Behaviour, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import { wiredPlan } from './plan.test-kit.ts'
import { inputsOf, play } from './play.test-kit.ts'
import { StepError } from './step-error.ts'

const failing: Behaviour = () => {
  throw new StepError('No such page.', { code: 'not_found', retryable: false })
}

describe('R1, R3: a wire', () => {
  //  A.left ─ B
  //  A.right ─ C
  const fork = wiredPlan({ A: {}, B: {}, C: {} }, ['A.left B.in', 'A.right C.in'])

  it('carries nothing from an output that is not returned, or as undefined: what it leads to is skipped', () => {
    for (const right of [{}, { right: undefined }]) {
      const stage = play(fork, { A: { left: 1, ...right } })
      assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'succeeded', C: 'skipped' })
      assert.deepEqual(inputsOf(stage, 'B'), { in: 1 })
      assert.equal(stage.ended.status, 'succeeded')
    }
  })

  it('carries null, which is a value', () => {
    const stage = play(fork, { A: { left: null, right: false } })
    assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'succeeded', C: 'succeeded' })
    assert.deepEqual(inputsOf(stage, 'B'), { in: null })
  })

  it('carries nothing from a skipped step, however long the way', () => {
    const of = wiredPlan({ A: {}, B: {}, C: {}, D: {} }, ['A.right B.in', 'B.left C.in', 'C.left D.in'])
    assert.deepEqual(play(of, { A: { left: 1 } }).statuses, {
      A: 'succeeded',
      B: 'skipped',
      C: 'skipped',
      D: 'skipped'
    })
  })

  it('carries nothing from an output that only every object has', () => {
    const of = wiredPlan({ A: {}, B: {} }, ['A.constructor B.in'])
    assert.equal(play(of, { A: { left: 1 } }).statuses.B, 'skipped')
  })

  //  A.left ─ B ┐
  //  A.right ─ C ┴ D
  it('that carries something is enough where branches meet, and the other input is undefined', () => {
    const of = wiredPlan({ A: {}, B: {}, C: {}, D: {} }, [
      'A.left B.in',
      'A.right C.in',
      'B.left D.in',
      'C.left D.more'
    ])
    const stage = play(of, { A: { right: 1 }, C: { left: 'c' } })
    assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'skipped', C: 'succeeded', D: 'succeeded' })
    assert.deepEqual(inputsOf(stage, 'D'), { in: undefined, more: 'c' })
  })

  it('is waited for, also where another one to the same step already carries a value', async () => {
    const of = wiredPlan({ A: {}, B: { type: 'external' }, C: {} }, ['A.left C.in', 'B.left C.more'])
    const later = Promise.withResolvers<unknown>()
    const steps = { A: () => ({ left: 'a' }), B: () => later.promise }
    const stage = await new Stage(of, { steps }).play()
    assert.deepEqual(stage.invoked, ['A', 'B'])
    later.resolve({})
    await turnOfTheLoop()
    assert.deepEqual(inputsOf(stage, 'C'), { in: 'a', more: undefined })
  })
})

describe('R1: several wires to one input', () => {
  const edges = ['B.left D.in', 'A.left D.in', 'C.left D.in', 'A.right D.more']

  it('give it the first value in the order of the document', () => {
    const of = wiredPlan({ A: {}, B: {}, C: {}, D: {} }, edges)
    const values = (steps: Record<string, unknown>) => inputsOf(play(of, steps), 'D')
    assert.deepEqual(values({ A: { left: 'a' }, B: { left: 'b' }, C: {} }), { in: 'b', more: undefined })
    assert.deepEqual(values({ A: { left: 'a', right: 0 }, B: {}, C: { left: 'c' } }), { in: 'a', more: 0 })
    assert.deepEqual(values({ A: {}, B: { left: undefined }, C: { left: null } }), {
      in: null,
      more: undefined
    })
    assert.equal(values({ A: {}, B: {}, C: {} }), undefined)
  })

  it('give it one value also where it is named like nothing good', () => {
    const of = wiredPlan({ A: {}, B: {}, D: {} }, ['A.left D.__proto__', 'B.left D.__proto__'])
    const stage = play(of, { A: {}, B: { left: 'b' } })
    assert.deepEqual(Object.entries(inputsOf(stage, 'D') as object), [['__proto__', 'b']])
  })
})

describe('R10: an error that is led on', () => {
  //  A.left ─ B
  //  A.error ─ C
  const edges = ['A.left B.in', 'A.error C.in']

  it('is a failed step and an output, and the run succeeds', () => {
    const stage = play(wiredPlan({ A: { on_error: 'output' }, B: {}, C: {} }, edges), { A: failing })
    assert.deepEqual(stage.statuses, { A: 'failed', B: 'skipped', C: 'succeeded' })
    const error = { code: 'not_found', message: 'No such page.', node: 'A', attempts: 1 }
    assert.deepEqual(inputsOf(stage, 'C'), { in: error })
    const { outputs, error: told } = stage.record('A')
    assert.deepEqual([outputs, told], [{ error }, { code: 'not_found', message: 'No such page.' }])
    assert.deepEqual([stage.ended.status, stage.ended.error], ['succeeded', null])
  })

  it('needs nobody who takes it', () => {
    const stage = play(wiredPlan({ A: { on_error: 'output' }, B: {} }, ['A.left B.in']), { A: failing })
    assert.deepEqual(stage.statuses, { A: 'failed', B: 'skipped' })
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('is silent where the step succeeds', () => {
    const stage = play(wiredPlan({ A: { on_error: 'output' }, B: {}, C: {} }, edges), { A: { left: 1 } })
    assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'succeeded', C: 'skipped' })
  })

  it('does not save the run from a failure that is not', () => {
    const of = wiredPlan({ A: { on_error: 'output' }, B: {}, C: {}, D: {} }, [...edges, 'C.left D.in'])
    const stage = play(of, { A: failing, C: failing })
    assert.deepEqual(stage.statuses, { A: 'failed', B: 'skipped', C: 'failed', D: 'not reached' })
    assert.deepEqual([stage.ended.status, stage.ended.error!.node], ['failed', 'C'])
  })

  it('comes after the last attempt, and says how many there were', async () => {
    const retry = { attempts: 3, backoff_ms: 0 }
    const of = wiredPlan({ A: { type: 'external', on_error: 'output', retry }, C: {} }, ['A.error C.in'])
    const steps = { A: () => Promise.reject(new Error('Not now.')) }
    let stage = await new Stage(of, { steps }).play()
    for (let life = 0; stage.ending?.kind === 'parked' && life < 5; life++) {
      stage = await new Stage(of, { steps, journal: [...stage.journal, stage.parked.entry] }).play()
    }
    assert.deepEqual(stage.record('A').attempts, 3)
    assert.equal((stage.record('A').outputs!.error as { attempts: number }).attempts, 3)
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('is what it was after a crash: the step is not run again', async () => {
    const of = wiredPlan(
      { A: { type: 'external', on_error: 'output' }, B: {}, C: { type: 'external' } },
      edges
    )
    const first = await new Stage(of, {
      steps: {
        A: () => Promise.reject(new StepError('No.', { retryable: false })),
        C: () => new Promise(() => {})
      }
    }).play()
    assert.equal(first.ending, undefined)
    const second = await new Stage(of, { journal: first.journal }).play()
    assert.deepEqual(second.invoked, ['C'])
    assert.deepEqual(second.statuses, { A: 'failed', B: 'skipped', C: 'succeeded' })
    assert.equal(second.ended.status, 'succeeded')
  })
})
