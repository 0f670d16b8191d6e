import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Behaviour, Stage, type StageOptions, tellTale, turnOfTheLoop } from './execution.test-kit.ts'
import { type JournalEntry, recall } from './journal.ts'
import { plan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import { randomPlan } from './random-plan.test-kit.ts'
import { StepError } from './step-error.ts'
import type { StepRecord } from './step-record.ts'

//  W ─ A! ┬ B ─ C! ┬ E! ┬ F
//         └ D! ────┘    │
//  G ─ H! ──────────────┘
const DRAWING = 'W(webhook) -> A! -> B -> C! -> E! -> F; A -> D! -> E; G -> H! -> F; X(chat) -> Y!'
const DRAWN = plan(DRAWING)
const OUTSIDE = DRAWN.nodes.filter(({ effects }) => effects === 'external').map(({ id }) => id)

/** True for the first `effects` questions: the process dies at the one after. */
function livesFor(effects: number): { lives: () => boolean; isSpent: () => boolean } {
  let left = effects
  return { lives: () => left-- > 0, isSpent: () => left < 0 }
}

async function lifeOf(of: Plan, options: StageOptions): Promise<Stage> {
  return new Stage(of, options).play()
}

/** The records as a run without any mishap leaves them. */
async function undisturbed(of: Plan): Promise<readonly StepRecord[]> {
  return (await lifeOf(of, {})).ended.steps
}

function withoutAttempts(steps: readonly StepRecord[]): unknown[] {
  return steps.map(({ attempts: _, ...step }) => step)
}

function settledIn(journal: readonly JournalEntry[]): string[] {
  return journal.flatMap((entry) => entry.settled ?? []).map(({ node }) => node)
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

/** Does something to the execution at the given effect, from within it. */
async function disturbed(of: Plan, effect: number, disturb: (stage: Stage) => void, more: StageOptions = {}) {
  let count = 0
  let wasDisturbed = false
  const stage: Stage = new Stage(of, {
    ...more,
    lives: () => {
      if (count++ === effect) {
        wasDisturbed = true
        disturb(stage)
      }
      return true
    }
  })
  await stage.play()
  return { stage, wasDisturbed }
}

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

describe('an interruption', () => {
  const interrupt = (stage: Stage): void => stage.execution.interrupt()

  it('at any moment hands the run back with results saved: no step outside runs twice', async () => {
    const expected = withoutAttempts(await undisturbed(DRAWN))
    for (let effect = 0; ; effect++) {
      const { stage, wasDisturbed } = await disturbed(DRAWN, effect, interrupt)
      if (!wasDisturbed) break
      if (stage.ending?.kind === 'ended') continue
      assert.deepEqual(stage.ending, { kind: 'interrupted' })
      const again = await lifeOf(DRAWN, { journal: stage.journal })
      const external = [...stage.invoked, ...again.invoked].filter((id) => OUTSIDE.includes(id))
      assert.deepEqual(external.sort(), ['A', 'C', 'D', 'E', 'H'], `interrupted at effect ${effect}`)
      assert.deepEqual(withoutAttempts(again.ended.steps), expected)
    }
  })

  it('waits for steps in flight and starts no other', async () => {
    let finish: (() => void) | undefined
    const slow: Behaviour = (call) =>
      new Promise((resolve) => {
        finish = () => resolve(tellTale(call))
      })
    const stage = await lifeOf(plan('A! -> B!'), { steps: { A: slow } })
    interrupt(stage)
    assert.equal(stage.ending, undefined)
    finish!()
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'interrupted' })
    assert.deepEqual(stage.invoked, ['A'])
    assert.deepEqual(settledIn(stage.journal), ['A'])
  })

  it('hands the run back once results are durable that came while it was written down that the steps are left', async () => {
    let finish: (() => void) | undefined
    const slow: Behaviour = (call) =>
      new Promise((resolve) => {
        finish = () => resolve(tellTale(call))
      })
    const stage = new Stage('A! -> B!', { steps: { A: slow }, holdsCheckpoints: true }).start()
    stage.held[0]!.commit()
    await turnOfTheLoop()
    interrupt(stage)
    finish!()
    await turnOfTheLoop()
    stage.held[1]!.commit()
    await turnOfTheLoop()
    assert.equal(stage.ending, undefined, 'the result is not durable yet')
    stage.held[2]!.commit()
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'interrupted' })
    assert.deepEqual(settledIn(stage.journal), ['A'])
  })

  it('hands a run back whose step gave up asking the store, which the next process begins again', async () => {
    let giveUp: ((error: Error) => void) | undefined
    const asking: Behaviour = () =>
      new Promise((_, reject) => {
        giveUp = reject
      })
    const stage = await lifeOf(plan('A! -> B!'), { steps: { A: asking } })
    interrupt(stage)
    giveUp!(new StepError('The store cannot be written.', { code: 'store_unwritable' }))
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'interrupted' })
    assert.deepEqual([stage.invoked, settledIn(stage.journal)], [['A'], []])
  })

  it('is no death of the steps that it leaves, however often', async () => {
    const endless: Behaviour = () => new Promise(() => {})
    const journal: JournalEntry[] = []
    for (let stop = 0; stop < 8; stop++) {
      const stage = await lifeOf(plan('A!'), { steps: { A: endless }, journal: [...journal] })
      assert.deepEqual([stage.invoked, stage.ending], [['A'], undefined], `stopped ${stop} times`)
      interrupt(stage)
      interrupt(stage)
      await turnOfTheLoop()
      journal.splice(0, Infinity, ...stage.journal)
      assert.equal(journal.length, 2 * (stop + 1))
    }
  })

  it('before the start hands the run back as it is', () => {
    const stage = new Stage('A! -> B')
    interrupt(stage)
    assert.deepEqual(stage.ending, { kind: 'interrupted' })
    assert.deepEqual(stage.journal, [])
  })

  it('of a run that ended elsewhere finds it lost', async () => {
    const stage = new Stage('A -> B! -> C', { holdsCheckpoints: true }).start()
    interrupt(stage)
    stage.held[0]!.commit(false)
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'lost' })
  })

  it('while a step waits for its checkpoint leaves the step to the next process', async () => {
    const stage = new Stage('A -> B! -> C', { holdsCheckpoints: true }).start()
    interrupt(stage)
    stage.held[0]!.commit()
    await turnOfTheLoop()
    assert.equal(stage.ending, undefined, 'not before it is written down that the step is left')
    stage.held[1]!.commit()
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'interrupted' })
    assert.equal(recall(stage.journal).interruptions.size, 0)
    assert.deepEqual(
      stage.calls.map((call) => call.node.id),
      ['A']
    )
  })
})

describe('a run that only waits', () => {
  it('is parked once all that it saved is durable: it is taken up from its journal', async () => {
    const fails: Behaviour = () => Promise.reject(new StepError('It is away.', { code: 'away' }))
    const nodes = { B: { retry: { attempts: 2, backoff_ms: 60_000 } } }
    const stage = new Stage('A! -> C!; B!', { steps: { B: fails }, nodes, holdsCheckpoints: true }).start()
    for (const begin of [0, 1]) stage.held[begin]!.commit()
    await turnOfTheLoop()
    const [beginOfC] = stage.held.slice(2)
    assert.deepEqual(
      beginOfC!.entry.settled?.map(({ node }) => node),
      ['A']
    )
    beginOfC!.commit()
    await turnOfTheLoop()
    assert.equal(stage.ending, undefined, 'the result of C is not durable yet')
    for (const held of stage.held.slice(3)) held.commit()
    await turnOfTheLoop()
    assert.ok(stage.parked.dueAt! > stage.clock.now())
    assert.deepEqual(settledIn(stage.journal), ['A', 'C'])
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
