import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeContent } from '../../../test/support/empty-database.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import type { FlowSpec, Segment } from '../life/flow-spec.ts'
import type { LifeEvent, Scenario } from '../life/scenario.ts'
import { search } from '../search.ts'
import { simulate } from '../simulate.ts'
import { tellFound } from '../tell.ts'
import { type Ground, NOTHING } from '../template-store.ts'
import { preparePostgresGround } from './postgres-ground.ts'

const postgres = sharedPostgres()

/** Other seeds every day. */
const FROM = Math.floor(Date.now() / 1000)
/** Of a processor, in this process; the server takes about as much again. */
const BUDGET_MS = 1_500
const SHRINK_MS = 20_000
/** Of the clock: on a machine that ten others use, the processor is hardly ever ours. */
const PATIENCE_MS = 600_000

/** By these, what ends the wait happens in the other process. */
const CHILDREN_SEED = 4
const CALL_SEED = 1
/** By this one, the process that others are asked of first stands still, and the other has the run. */
const FROZEN_SEED = 2

const act = (id: string, ms: number): Segment => ({
  kind: 'act',
  id,
  ms,
  mode: 'ok',
  fails: 0,
  readsHistory: false
})
const flowOf = (segments: readonly Segment[]): FlowSpec => ({
  slug: 'flow-0',
  context: 0,
  concurrency: 0,
  everySeconds: 0,
  segments
})

/** What goes on and on, or is there in great numbers, takes ten times as long as others: it is for whoever has minutes. */
function isLong({ features, events }: Scenario): boolean {
  return (
    events.length > 16 || ['ticks', 'many', 'each', 'burst'].some((feature) => features.includes(feature))
  )
}

describe("the simulation of PostgreSQL's store", () => {
  let ground: Ground
  before(async () => {
    ground = await preparePostgresGround({ url: await postgres.emptyDatabase(), describeContent })
  })
  after(() => ground.end())

  it('has one course of events for one seed', async () => {
    let seed = FROM
    while (isLong(ground.scenarioOf(seed))) seed++
    // The beginning is enough.
    const whole = ground.scenarioOf(seed)
    const scenario = { ...whole, events: whole.events.slice(0, 6), processes: 2 }
    const [one, other] = [await simulate(scenario, ground), await simulate(scenario, ground)]
    assert.deepEqual({ ...other, trace: [] }, { ...one, trace: [] }, `seed ${seed} came out in two ways`)
  })

  // In each a branch of 20 seconds goes on beside the wait, in a process that is told, or not, what another has done.
  const beside = (wait: Segment): FlowSpec =>
    flowOf([{ kind: 'fork', id: 'fork', ways: [[act('long', 20_000)], [wait, act('next', 0)]] }])
  const webhook = (at: number, flow: number) =>
    ({ at, kind: 'webhook', flow, value: 1, key: 0, bytes: 0 }) as const
  const scenarioOf = (flow: FlowSpec, events: readonly LifeEvent[], seed: number): Scenario => ({
    ...NOTHING,
    seed,
    flows: [flowOf([act('child', 500)]), { ...flow, slug: 'flow-1' }],
    events,
    answers: 'each',
    disorder: 0.3,
    places: 1,
    processes: 2
  })

  it('finds that children which end elsewhere let their parent go on at once', async () => {
    const flow = beside({ kind: 'call', id: 'call', flow: 0, waits: true })
    const events = [webhook(0, 1), webhook(300, 1), webhook(600, 1)]
    const { violation, effects } = await simulate(scenarioOf(flow, events, CHILDREN_SEED), ground)
    assert.deepEqual({ violation, effects }, { violation: undefined, effects: 9 })
  })

  it('finds that a call which is taken while signals are away lets its run go on when they are back', async () => {
    const flow = beside({ kind: 'wait', id: 'wait', seconds: 0 })
    const events: LifeEvent[] = [
      webhook(0, 1),
      { at: 2_000, kind: 'down', ms: 150 },
      { at: 2_160, kind: 'call', share: 0, early: false }
    ]
    const { violation, effects } = await simulate(scenarioOf(flow, events, CALL_SEED), ground)
    assert.deepEqual({ violation, effects }, { violation: undefined, effects: 2 })
  })

  it('asks who stood still for what it counts when it has gone on', async () => {
    const events: LifeEvent[] = [webhook(0, 1), { at: 2_500, kind: 'freeze', ms: 20_000 }]
    const { violation, effects } = await simulate(
      scenarioOf(flowOf([act('long', 5_000)]), events, FROZEN_SEED),
      ground
    )
    assert.deepEqual({ violation, effects }, { violation: undefined, effects: 1 })
  })

  it('finds no rule broken by fresh seeds', { timeout: PATIENCE_MS }, async (t) => {
    const began = process.cpuUsage()
    const isInBudget = () => process.cpuUsage(began).user / 1_000 < BUDGET_MS
    const { seeds, found } = await search({
      ground,
      from: FROM + 1,
      shrinkMs: SHRINK_MS,
      leavesOut: isLong,
      shouldContinue: (_, found) => isInBudget() && found.length === 0
    })
    t.diagnostic(`${seeds} seeds from ${FROM + 1} on`)
    assert.ok(found.length === 0, found.map(tellFound).join('\n'))
  })
})
