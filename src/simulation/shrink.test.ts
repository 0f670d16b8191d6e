import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { generateScenario } from './life/generate-scenario.ts'
import type { Scenario } from './life/scenario.ts'
import { shrink } from './shrink.ts'

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
