import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Segment } from './life/flow-spec.ts'
import { generateScenario } from './life/generate-scenario.ts'
import type { Scenario } from './life/scenario.ts'
import { shrink } from './shrink.ts'

function withReference(): Scenario {
  const act = { kind: 'act', mode: 'ok', ms: 0, fails: 0, readsHistory: false } as const
  const segments: Segment[] = [
    { ...act, id: 'read' },
    { ...act, id: 'other' },
    { kind: 'refer', id: 'reads', to: 'read' }
  ]
  const scenario = generateScenario(166)
  return { ...scenario, flows: [{ ...scenario.flows[0]!, segments }] }
}

describe('shrinking', () => {
  it('leaves what a fault needs, and nothing else', async () => {
    const needs = (kind: string, count: number) => (scenario: Scenario) =>
      Promise.resolve(scenario.events.filter((event) => event.kind === kind).length >= count)
    const scenario = generateScenario(166)
    const { events, flows } = await shrink(scenario, needs('webhook', 2))
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['webhook', 'webhook']
    )
    assert.ok(flows.every(({ segments }) => segments.length === 0))
  })

  it('takes no act away that another one reads: such a flow cannot be saved', async () => {
    const scenario = withReference()
    const seen: string[] = []
    const shrunk = await shrink(scenario, async ({ flows }) => {
      const kinds = flows[0]!.segments.map(({ kind }) => kind)
      seen.push(kinds.join())
      return kinds.includes('refer')
    })
    assert.deepEqual(
      shrunk.flows[0]!.segments.map(({ id }) => id),
      ['read', 'reads']
    )
    assert.ok(!seen.includes('refer'), 'it was played without what it reads')
  })

  it('keeps the order of what is left', async () => {
    const scenario = generateScenario(166)
    const shrunk = await shrink(scenario, async ({ events }) => events.length >= 4)
    assert.equal(shrunk.events.length, 4)
    assert.deepEqual(
      shrunk.events,
      shrunk.events.toSorted((a, b) => a.at - b.at)
    )
  })
})
