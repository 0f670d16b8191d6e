import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowNode } from '../flows/document/flow-document.ts'
import { type Behaviour, Stage, turnOfTheLoop } from './execution.test-kit.ts'
import { wiredPlan, wiredTest } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import type { TestScope } from './plan-test.ts'
import { StepError } from './step-error.ts'

const failing: Behaviour = () => {
  throw new StepError('No such page.', { code: 'not_found', retryable: false })
}

function play(of: Plan, steps: Readonly<Record<string, unknown>>): Stage {
  const behaviours = Object.entries(steps).map(([id, outputs]): [string, Behaviour] => [
    id,
    typeof outputs === 'function' ? (outputs as Behaviour) : () => outputs
  ])
  return new Stage(of, { steps: Object.fromEntries(behaviours) }).start()
}

function inputsOf(stage: Stage, id: string): unknown {
  return stage.calls.find(({ node }) => node.id === id)?.inputs
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

describe('R11: a disabled step', () => {
  const of = (type: FlowNode['type']) =>
    wiredPlan({ A: {}, B: { type, disabled: true }, C: {}, D: {} }, [
      'A.left B.in',
      'B.left C.in',
      'B.right D.in'
    ])

  it('is not run: what reaches its first input leaves by its first output', () => {
    const stage = play(of('ports'), { A: { left: 'a' } })
    assert.deepEqual(stage.invoked, ['A', 'C'])
    assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'succeeded', C: 'succeeded', D: 'skipped' })
    assert.deepEqual(inputsOf(stage, 'C'), { in: 'a' })
    assert.deepEqual([stage.record('B').attempts, stage.record('B').outputs], [0, { left: 'a' }])
  })

  it('is skipped where the types do not fit, it has no ports, or its component is gone', () => {
    for (const type of ['misfit', 'pure', 'gone']) {
      const stage = play(of(type), { A: { left: 'a' } })
      assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'skipped', C: 'skipped', D: 'skipped' }, type)
    }
  })

  it('is skipped where nothing reaches its first input', () => {
    const second = wiredPlan({ A: {}, B: { type: 'ports', disabled: true } }, ['A.left B.more'])
    assert.equal(play(second, { A: { left: 'a' } }).statuses.B, 'skipped')
  })

  it('that was skipped and leads to a step that is done does not make it run again after a crash', async () => {
    const of = wiredPlan({ A: {}, B: { disabled: true }, C: {}, D: { type: 'external' } }, [
      'A.left C.in',
      'B.left C.more',
      'C.left D.in'
    ])
    const steps = { A: () => ({ left: 1 }), C: () => ({ left: 1 }) }
    const first = await new Stage(of, { steps: { ...steps, D: () => new Promise(() => {}) } }).play()
    const second = await new Stage(of, { journal: first.journal, steps }).play()
    assert.deepEqual(second.invoked, ['D'])
    assert.deepEqual(second.statuses, { A: 'succeeded', B: 'skipped', C: 'succeeded', D: 'succeeded' })
  })

  it('that is a trigger starts nothing, and leaves the flow to its others', () => {
    const of = wiredPlan({ W: { type: 'webhook', disabled: true }, C: { type: 'chat' }, A: {}, B: {} }, [
      'W.left A.in',
      'C.left B.in'
    ])
    const stage = new Stage(of, { trigger: 'api', steps: { C: () => ({ left: 1 }) } }).start()
    assert.deepEqual(stage.statuses, { W: 'skipped', C: 'succeeded', A: 'skipped', B: 'succeeded' })
  })
})

describe('R12: a pinned step', () => {
  //  A.left ─ B ┐
  //  A.right ─ C ┴ D
  const wires = ['A.left B.in', 'A.right C.in', 'B.left D.in', 'C.left D.in']
  const of = (pins: TestScope['pins'], nodes: Record<string, Partial<FlowNode>> = {}) =>
    wiredTest({ A: {}, B: { type: 'ports-outside' }, C: {}, D: {}, ...nodes }, wires, { pins, upTo: null })

  it('is not run: what was pinned leaves it, and the other outputs are silent', () => {
    const stage = play(of({ A: { right: 'pinned' } }), { C: { left: 'c' } })
    assert.deepEqual(stage.invoked, ['C', 'D'])
    assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'skipped', C: 'succeeded', D: 'succeeded' })
    const { attempts, outputs, pinned } = stage.record('A')
    assert.deepEqual([attempts, outputs, pinned], [0, { right: 'pinned' }, true])
    assert.equal(Object.hasOwn(stage.record('C'), 'pinned'), false)
  })

  it('is skipped where nothing reaches it: the branch that was not taken stays so', () => {
    const stage = play(of({ B: { left: 'b' }, C: { left: 'c' } }), { A: { right: 1 } })
    assert.deepEqual(stage.invoked, ['A', 'D'])
    assert.equal(stage.statuses.B, 'skipped')
    assert.deepEqual(inputsOf(stage, 'D'), { in: 'c' })
  })

  it('with nothing pinned has succeeded, and is silent', () => {
    const stage = play(of({ A: {} }), {})
    assert.deepEqual(stage.statuses, { A: 'succeeded', B: 'skipped', C: 'skipped', D: 'skipped' })
  })

  it('that is disabled is passed by, as if nothing were pinned', () => {
    const stage = play(of({ B: { left: 'b' } }, { B: { type: 'ports', disabled: true } }), {
      A: { left: 'a' }
    })
    assert.deepEqual(inputsOf(stage, 'D'), { in: 'a' })
  })

  it('stands inside a region too, for each of its items', () => {
    const inside = { A: {}, R: {}, I: { parent: 'R' }, J: { parent: 'R' } }
    const wires = ['A.left R.items', 'R.item I.in', 'I.left J.in', 'J.left R.result']
    const { regions } = wiredTest(inside, wires, { pins: { I: { left: 'pinned' } }, upTo: 'I' })
    const bypassOf = (id: string) => regions.get('R')?.nodes.find((node) => node.id === id)?.bypass
    assert.deepEqual([bypassOf('I'), bypassOf('J')], [{ pinned: { left: 'pinned' } }, null])
  })

  it('stays as it is after a crash', async () => {
    const plan = of({ A: { left: 1 } })
    const first = await new Stage(plan, { steps: { B: () => new Promise(() => {}) } }).play()
    const second = await new Stage(plan, { journal: first.journal, steps: { B: () => ({ left: 2 }) } }).play()
    assert.deepEqual(second.invoked, ['B', 'D'])
    assert.equal(second.record('A').pinned, true)
  })
})

describe('a test that ends at a node', () => {
  const upTo = (node: string, nodes: Record<string, Partial<FlowNode>>, wires: readonly string[]) =>
    wiredTest(nodes, wires, { pins: {}, upTo: node })

  it('runs it and what leads to it, and skips every other', () => {
    const wires = ['W.left A.in', 'A.left B.in', 'A.right C.in', 'X.left B.in', 'B.left D.in']
    const nodes = { W: { type: 'webhook' }, A: {}, B: {}, C: {}, X: {}, D: { type: 'gone' } }
    const stage = play(upTo('B', nodes, wires), { W: { left: 1 }, A: { left: 1, right: 1 } })
    assert.deepEqual(stage.invoked.toSorted(), ['A', 'B', 'W', 'X'])
    const { C, D, B } = stage.statuses
    assert.deepEqual([B, C, D], ['succeeded', 'skipped', 'skipped'])
    assert.equal(stage.ended.status, 'succeeded')
  })

  it('starts where the node is led to, though its trigger is another', () => {
    const nodes = { W: { type: 'webhook' }, A: {}, C: { type: 'chat' }, B: {} }
    const of = upTo('B', nodes, ['W.left A.in', 'C.left B.in'])
    for (const trigger of ['api', 'webhook'] as const) {
      const stage = new Stage(of, { trigger, steps: { C: () => ({ left: 1 }) } }).start()
      assert.deepEqual(stage.invoked, ['C', 'B'], trigger)
    }
  })

  it('runs a node too that no trigger leads to', () => {
    const nodes = { W: { type: 'webhook' }, A: {}, B: {} }
    const stage = play(upTo('B', nodes, ['A.left B.in']), { A: { left: 1 } })
    assert.deepEqual(stage.statuses, { W: 'skipped', A: 'succeeded', B: 'succeeded' })
  })
})
