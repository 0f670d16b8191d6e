import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowNode } from '../flows/document/flow-document.ts'
import { Stage } from './execution.test-kit.ts'
import { wiredPlan, wiredTest } from './plan.test-kit.ts'
import type { TestScope } from './plan-test.ts'
import { inputsOf, play } from './play.test-kit.ts'

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
