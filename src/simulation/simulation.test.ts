import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Segment } from './life/flow-spec.ts'
import { generateScenario } from './life/generate-scenario.ts'
import type { Scenario } from './life/scenario.ts'
import { search } from './search.ts'
import { simulate } from './simulate.ts'
import { tellFound } from './tell.ts'
import { type Ground, NOTHING, prepareGround } from './template-store.ts'

/** Other seeds every day: what a year of them finds, no fixed list would. */
const FROM = Math.floor(Date.now() / 1000)
/** Of a processor: of the clock it would be more on a quiet machine, and less where others wait. `npm run simulate` plays on. */
const BUDGET_MS = 15_000
const SHRINK_MS = 20_000
/** Of the clock: on a machine that ten others use, the processor is hardly ever ours. */
const PATIENCE_MS = 600_000

describe('the simulation', () => {
  let ground: Ground
  before(async () => {
    ground = await prepareGround()
  })
  after(() => ground.end())

  it('has one course of events for one seed', async () => {
    for (let seed = FROM; seed < FROM + 6; seed++) {
      const scenario = generateScenario(seed)
      assert.deepEqual(generateScenario(seed), scenario)
      const [one, other] = [await simulate(scenario, ground), await simulate(scenario, ground)]
      assert.deepEqual({ ...other, trace: [] }, { ...one, trace: [] }, `seed ${seed} came out in two ways`)
    }
  })

  it('has other courses for other seeds', async () => {
    const hashes = new Set<string>()
    for (let seed = 1; seed <= 5; seed++) hashes.add((await simulate(generateScenario(seed), ground)).hash)
    assert.equal(hashes.size, 5)
  })

  const flowOf = (ms: number, concurrency: number) => {
    const act: Segment = { kind: 'act', id: 'a', mode: 'ok', ms, fails: 0, readsHistory: false }
    return { slug: 'flow-0', context: 0, concurrency, everySeconds: 0, segments: [act] }
  }
  const webhook = { kind: 'webhook', flow: 0, value: 1, key: 0, bytes: 0 } as const

  it('finds a torn commit in the next life, although nobody was told that it was kept', async () => {
    const torn: Scenario = {
      ...NOTHING,
      seed: 1,
      flows: [flowOf(0, 0)],
      events: [
        { at: 0, kind: 'tear', call: 'runs.accept', steps: 3 },
        { at: 1, ...webhook },
        { at: 2, ...webhook }
      ]
    }
    const { violation, runs, effects } = await simulate(torn, ground)
    assert.deepEqual({ violation, runs, effects }, { violation: undefined, runs: 1, effects: 1 })
  })

  it('tells the seed and the error where something throws, and goes on where a smaller scenario does', async () => {
    const broken: Ground = {
      ...ground,
      scenarioOf: (seed) => ({ ...NOTHING, seed, flows: [flowOf(0, 0)], events: [{ at: 1, ...webhook }] }),
      machineOf: (world) => {
        const machine = ground.machineOf(world)
        const { records } = machine
        records.openWaits = () => {
          const { events } = world.scenario
          throw events.length > 0 ? new RangeError('away') : new TypeError('the smaller one')
        }
        return machine
      }
    }
    const { found } = await search({ ground: broken, from: 5, shouldContinue: (seeds) => seeds < 1 })
    const [{ seed, violation, shrunk } = assert.fail('nothing was found')] = found
    assert.deepEqual([seed, violation.rule], [5, 'nothing is thrown: RangeError'])
    assert.match(violation.message, /^RangeError: away \|/)
    assert.equal(shrunk.events.length, 1)
  })

  it('lets a test begin before what was accepted before it', async () => {
    const scenario: Scenario = {
      ...NOTHING,
      seed: 1,
      answers: 'each',
      flows: [flowOf(3_000, 1)],
      events: [
        { at: 20, ...webhook },
        { at: 20, ...webhook },
        { at: 25, kind: 'test', flow: 0, value: 5, length: 1 }
      ]
    }
    const { violation, effects } = await simulate(scenario, ground)
    assert.deepEqual({ violation, effects }, { violation: undefined, effects: 3 })
  })

  it('tells the replay of what a test has started from the test', async () => {
    const call: Segment = { kind: 'call', id: 'call', flow: 0, waits: false }
    const scenario: Scenario = {
      ...NOTHING,
      seed: 1,
      flows: [flowOf(0, 0), { ...flowOf(0, 0), slug: 'flow-1', segments: [call] }],
      events: [
        { at: 0, kind: 'test', flow: 1, value: 2, length: 1 },
        { at: 1_000, kind: 'replay', share: 0.99 }
      ]
    }
    const { violation, runs } = await simulate(scenario, ground)
    assert.deepEqual({ violation, runs }, { violation: undefined, runs: 3 })
  })

  it('finds no rule broken by fresh seeds', { timeout: PATIENCE_MS }, async (t) => {
    const began = process.cpuUsage()
    const isInBudget = () => process.cpuUsage(began).user / 1_000 < BUDGET_MS
    const { seeds, found } = await search({
      ground,
      from: FROM,
      shrinkMs: SHRINK_MS,
      // The first is enough to stop at: shrinking it takes its time.
      shouldContinue: (_, found) => isInBudget() && found.length === 0
    })
    t.diagnostic(`${seeds} seeds from ${FROM} on`)
    assert.ok(found.length === 0, found.map(tellFound).join('\n'))
  })
})
