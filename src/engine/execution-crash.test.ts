import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Stage, turnOfTheLoop } from './execution.test-kit.ts'
import {
  DRAWN,
  disturbed,
  lifeOf,
  OUTSIDE,
  settledIn,
  undisturbed,
  withoutAttempts
} from './execution-crash.test-kit.ts'
import type { JournalEntry } from './journal.ts'
import { plan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import { randomPlan } from './random-plan.test-kit.ts'

/** True for the first `effects` questions: the process dies at the one after. */
function livesFor(effects: number): { lives: () => boolean; isSpent: () => boolean } {
  let left = effects
  return { lives: () => left-- > 0, isSpent: () => left < 0 }
}

function begunIn(journal: readonly JournalEntry[]): string[] {
  return journal.flatMap((entry) => entry.begun ?? []).map(({ node }) => node)
}

/** Lives one life after another, each cut off after so many effects, then one to the end. */
async function finishAfterCrashes(of: Plan, cuts: readonly number[]): Promise<Stage> {
  let journal: readonly JournalEntry[] = []
  for (const cut of cuts) {
    const { lives } = livesFor(cut)
    const life = await lifeOf(of, { journal, lives })
    if (life.ending !== undefined) return life
    assertRunOnlyWhatWasOpen(of, life, journal)
    journal = life.journal
  }
  const last = await lifeOf(of, { journal })
  assertRunOnlyWhatWasOpen(of, last, journal)
  return last
}

function assertRunOnlyWhatWasOpen(of: Plan, life: Stage, before: readonly JournalEntry[]): void {
  const done = settledIn(before)
  for (const id of life.invoked) assert.ok(!done.includes(id), `${id} was done and ran again`)
  const external = life.invoked.filter(
    (id) => of.nodes.find((node) => node.id === id)!.effects === 'external'
  )
  assert.equal(new Set(external).size, external.length, 'a step ran twice in one life')
}

describe('R8: a crash', () => {
  it('after any effect repeats at most what was in flight and loses nothing', async () => {
    const expected = withoutAttempts(await undisturbed(DRAWN))
    let cut = 0
    for (; ; cut++) {
      const { lives, isSpent } = livesFor(cut)
      const first = await lifeOf(DRAWN, { lives })
      if (!isSpent()) break
      const second = await lifeOf(DRAWN, { journal: first.journal })
      assertRunOnlyWhatWasOpen(DRAWN, second, first.journal)
      for (const id of first.invoked.filter((id) => OUTSIDE.includes(id)))
        assert.ok(begunIn(first.journal).includes(id), `${id} ran before its beginning was durable`)
      assert.deepEqual(withoutAttempts(second.ended.steps), expected, `cut after ${cut} effects`)
    }
    assert.ok(cut > 30, `the run has more than ${cut} effects`)
  })

  it('makes the attempt that it cut off count', async () => {
    const { lives } = livesFor(4)
    const first = await lifeOf(plan('A! -> B'), { lives })
    assert.deepEqual(first.invoked, ['A'])
    const second = await lifeOf(plan('A! -> B'), { journal: first.journal })
    assert.equal(second.calls[0]!.attempt, 2)
    assert.equal(second.record('A').attempts, 2)
  })

  it('again and again leaves every graph with complete records', async () => {
    const cuts = fc.array(fc.nat(30), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(randomPlan(10), cuts, async ({ plan }, cuts) => {
        const { ended } = await finishAfterCrashes(plan, cuts)
        assert.equal(ended.status, 'succeeded')
        assert.deepEqual(withoutAttempts(ended.steps), withoutAttempts(await undisturbed(plan)))
      }),
      { numRuns: 150 }
    )
  })
})

describe('R6: a cancel', () => {
  it('at any moment ends the run at once, tells steps in flight and starts nothing more', async () => {
    for (let effect = 0; ; effect++) {
      let invokedBefore: number | undefined
      const { stage, wasDisturbed } = await disturbed(DRAWN, effect, (stage) => {
        invokedBefore = stage.calls.length
        stage.execution.cancel()
      })
      if (!wasDisturbed) break
      const { status } = stage.ended
      if (status === 'succeeded') continue
      assert.equal(status, 'cancelled')
      assert.equal(stage.ended.error, null)
      assert.ok(stage.calls.length <= invokedBefore! + 1, 'a step started after the cancel')
      for (const step of stage.ended.steps) {
        assert.ok(['succeeded', 'skipped', 'cancelled', 'not reached'].includes(step.status), step.status)
      }
      for (const { node, abort } of stage.calls) {
        assert.equal(abort.signal.aborted, stage.statuses[node.id] === 'cancelled')
      }
    }
  })

  it('before the start leaves every step not reached', () => {
    const stage = new Stage('A -> B')
    stage.execution.cancel()
    assert.deepEqual(stage.statuses, { A: 'not reached', B: 'not reached' })
  })

  it('R9: of a run that is over changes nothing', () => {
    const stage = new Stage('A').start()
    stage.execution.cancel()
    assert.equal(stage.ended.status, 'succeeded')
  })
})

describe('a refused checkpoint', () => {
  it('at any moment loses the run, tells steps in flight and starts nothing more', async () => {
    for (let refused = 0; ; refused++) {
      const stage = new Stage(DRAWN, { holdsCheckpoints: true }).start()
      let committed = 0
      let before: number | undefined
      for (; stage.held.length > 0 && before === undefined; committed++) {
        if (committed === refused) before = stage.calls.length
        stage.held.shift()!.commit(committed !== refused)
        await turnOfTheLoop()
      }
      if (before === undefined) break
      if (stage.ending?.kind === 'ended') continue
      assert.deepEqual(stage.ending, { kind: 'lost' }, `refused checkpoint ${refused}`)
      assert.equal(stage.calls.length, before)
    }
  })
})
