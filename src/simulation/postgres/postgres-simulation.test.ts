import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { describeContent } from '../../../test/support/empty-database.ts'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import type { Scenario } from '../life/scenario.ts'
import { search } from '../search.ts'
import { simulate } from '../simulate.ts'
import { tellFound } from '../tell.ts'
import type { Ground } from '../template-store.ts'
import { preparePostgresGround } from './postgres-ground.ts'

const postgres = sharedPostgres()

/** Other seeds every day. */
const FROM = Math.floor(Date.now() / 1000)
/** Of a processor, in this process; the server takes about as much again. */
const BUDGET_MS = 1_500
const SHRINK_MS = 20_000

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

  it('finds no rule broken by fresh seeds', async (t) => {
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
