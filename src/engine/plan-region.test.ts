import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { Stage, turnOfTheLoop } from './execution.test-kit.ts'
import { at, wiredPlan } from './plan.test-kit.ts'

//  A ─ items ─ E ─ results ─ D
//  B ────────┐
//        item ─ x ─ y ─ result
const nodes = { A: {}, B: {}, E: {}, D: {}, x: { parent: 'E' }, y: { parent: 'E' } }
const wires = ['A.out E.items', 'B.out y.b', 'E.item x.in', 'x.out y.x', 'y.out E.result', 'E.results D.in']

/** One item of the region. */
async function item(given: JsonValue, outside: Record<string, unknown> = { out: 'B()' }): Promise<Stage> {
  const plan = wiredPlan(nodes, wires).regions.get('E')!
  const outputs = new Map<string, Record<string, unknown>>([
    ['B', outside],
    ['E', { item: given, index: 0 }]
  ])
  const stage = new Stage(plan, {
    given: outputs,
    steps: { E: ({ node, inputs }) => node.component.run({ inputs } as never) }
  })
  await stage.play()
  await turnOfTheLoop()
  return stage
}

describe('a region', () => {
  it('is one step of its flow, which waits for all that leads to its inside', () => {
    const plan = wiredPlan(nodes, wires)
    assert.deepEqual(
      plan.nodes.map(({ id }) => id),
      ['A', 'B', 'E', 'D']
    )
    const region = plan.nodes[at(plan, 'E')]!
    assert.deepEqual(region.sources.toSorted(), [at(plan, 'A'), at(plan, 'B')])
    assert.deepEqual(
      region.inputs.map(({ port }) => port),
      ['items']
    )
  })

  it('gives its items what they need from outside, and takes what they give', async () => {
    const stage = await item('one')
    assert.equal(stage.ended.status, 'succeeded')
    assert.deepEqual(stage.record('E').outputs, { result: 'y(B(),x(one))' })
  })

  it('has steps of the inside only, and its own end', async () => {
    const stage = await item('one')
    assert.deepEqual(stage.statuses, { x: 'succeeded', y: 'succeeded', E: 'succeeded' })
  })

  it('takes nothing from a silent output outside, and goes on with the other wires', async () => {
    const stage = await item('one', {})
    assert.deepEqual(stage.record('E').outputs, { result: 'y(,x(one))' })
  })

  it('may give an item back as it is', async () => {
    const plan = wiredPlan({ A: {}, E: {} }, ['A.out E.items', 'E.item E.result'])
    assert.deepEqual(
      plan.nodes.map(({ id }) => id),
      ['A', 'E']
    )
    const given = new Map([['E', { item: 7, index: 0 }]])
    const echo = new Stage(plan.regions.get('E')!, {
      given,
      steps: { E: ({ node, inputs }) => node.component.run({ inputs } as never) }
    }).start()
    assert.deepEqual(echo.record('E').outputs, { result: 7 })
  })
})
