import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { RunTrigger } from '../flows/component/component.ts'
import { plan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import { randomPlan } from './random-plan.test-kit.ts'
import { begin, type EndStatus, markNotReached, type Standing, settle } from './settle.ts'

const trigger = fc.constantFrom<RunTrigger>('webhook', 'chat', 'api')
const outcomes = fc.array(fc.constantFrom('succeeded', 'succeeded', 'succeeded', 'failed'), { maxLength: 20 })
const choices = fc.array(fc.nat(), { maxLength: 20 })
const game = fc.tuple(randomPlan(14), trigger, outcomes, choices)

type Play = typeof game extends fc.Arbitrary<infer T> ? T : never

interface Played {
  readonly plan: Plan
  readonly standing: Standing
  /** Steps in the order in which they started, each with the statuses of that moment. */
  readonly started: {
    readonly index: number
    readonly statuses: readonly string[]
    readonly hadFailed: boolean
  }[]
  readonly end: EndStatus | undefined
}

/** Starts all that is ready, settles any one of what is in flight, until nothing is left. */
function playOut([{ plan }, trigger, outcomes, choices]: Play): Played {
  const { standing, ready } = begin(plan, trigger)
  const started: Played['started'] = []
  const inFlight: number[] = []
  let end: EndStatus | undefined
  for (let turn = 0; ; turn++) {
    for (const index of ready.splice(0)) {
      const hadFailed = standing.failed !== undefined
      started.push({ index, statuses: [...standing.statuses], hadFailed })
      standing.statuses[index] = 'in progress'
      inFlight.push(index)
    }
    if (inFlight.length === 0) break
    const [index] = inFlight.splice((choices[turn] ?? 0) % inFlight.length, 1)
    const status = outcomes[turn] === 'failed' ? 'failed' : 'succeeded'
    const decision = settle(standing, index!, { status, outputs: status === 'failed' ? null : { out: 1 } })
    ready.push(...decision.ready)
    end = decision.end
  }
  if (standing.failed !== undefined) markNotReached(standing)
  return { plan, standing, started, end }
}

const ENDS = ['succeeded', 'failed', 'skipped', 'not reached']

describe('every run of every graph', () => {
  it('ends with each step in exactly one settled state', () => {
    fc.assert(
      fc.property(game, (play) => {
        const { standing } = playOut(play)
        for (const status of standing.statuses) assert.ok(ENDS.includes(status), status)
        assert.equal(standing.left, 0)
      })
    )
  })

  it('R1: starts no step before all that leads to it is settled, and one of that succeeded', () => {
    fc.assert(
      fc.property(game, (play) => {
        const { plan, started } = playOut(play)
        for (const { index, statuses } of started) {
          const sources = plan.nodes[index]!.sources.map((source) => statuses[source])
          for (const status of sources) assert.ok(status === 'succeeded' || status === 'skipped', status)
          assert.ok(sources.length === 0 || sources.includes('succeeded'))
        }
      })
    )
  })

  it('R2: takes a step in one run exactly when it is reached there, or leads to one that is', () => {
    fc.assert(
      fc.property(game, (play) => {
        const { plan, standing } = playOut(play)
        const wasTaken = standing.statuses.map((status) => status !== 'skipped')
        const isTaken = takenByHand(plan, play[1])
        assert.deepEqual(wasTaken, isTaken)
      })
    )
  })

  it('R4: starts nothing after a failure', () => {
    fc.assert(
      fc.property(game, (play) => {
        for (const { hadFailed } of playOut(play).started) assert.equal(hadFailed, false)
      })
    )
  })

  it('R7: succeeds exactly when every step succeeded or was skipped', () => {
    fc.assert(
      fc.property(game, (play) => {
        const { standing, started, end } = playOut(play)
        const isGood = standing.statuses.every((status) => status === 'succeeded' || status === 'skipped')
        assert.equal(standing.failed === undefined, isGood)
        if (started.length > 0) assert.equal(end, isGood ? 'succeeded' : 'failed')
      })
    )
  })

  it('R8: starts no step twice', () => {
    fc.assert(
      fc.property(game, (play) => {
        const indexes = playOut(play).started.map(({ index }) => index)
        assert.equal(new Set(indexes).size, indexes.length)
      })
    )
  })
})

/** R2 in other words than the code's, node by node. In these graphs `N3(chat)` is of the type chat. */
function takenByHand({ nodes }: Plan, trigger: RunTrigger): boolean[] {
  const triggers = new Set(nodes.flatMap(({ type, sources }) => (isStart(type, sources) ? [type] : [])))
  if (triggers.size === 0) return nodes.map(() => true)
  const meant = trigger === 'api' ? (triggers.has('webhook') ? 'webhook' : 'chat') : trigger
  const isReached = (index: number, by: (type: string) => boolean): boolean => {
    const { type, sources } = nodes[index]!
    return (isStart(type, sources) && by(type)) || sources.some((source) => isReached(source, by))
  }
  const isTaken = (index: number): boolean =>
    isReached(index, (type) => type === meant) ||
    (!isReached(index, () => true) && nodes[index]!.dependents.some(isTaken))
  return nodes.map(({ index }) => isTaken(index))
}

function isStart(type: string, sources: readonly number[]): boolean {
  return sources.length === 0 && (type === 'webhook' || type === 'chat')
}

describe('long chains', () => {
  const SUCCEEDED = { status: 'succeeded', outputs: { out: 1 } } as const
  const names = Array.from({ length: 10_000 }, (_, index) => `N${index}`)

  it('run to their end without running out of stack', () => {
    const chain = plan(names.join(' -> '))
    const { standing, ready } = begin(chain, 'webhook')
    let index = ready[0]
    let steps = 0
    for (; index !== undefined; steps++) [index] = settle(standing, index, SUCCEEDED).ready
    assert.equal(steps, 10_000)
    assert.equal(standing.left, 0)
  })

  it('are skipped without running out of stack', () => {
    const chain = plan(`C(chat) -> ${names.slice(1).join(' -> ')}`)
    const { standing, ready } = begin(chain, 'webhook')
    assert.deepEqual(ready, [])
    assert.ok(standing.statuses.every((status) => status === 'skipped'))
  })
})
