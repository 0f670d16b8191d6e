import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Behaviour, Stage, tellTale, turnOfTheLoop } from './execution.test-kit.ts'
import {
  DRAWN,
  disturbed,
  lifeOf,
  OUTSIDE,
  settledIn,
  undisturbed,
  withoutAttempts
} from './execution-crash.test-kit.ts'
import { type JournalEntry, recall } from './journal.ts'
import { plan } from './plan.test-kit.ts'
import { StepError } from './step-error.ts'

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

  it('does not wait for steps that wait for their first turn, which have done nothing', async () => {
    const held: Behaviour = (call) => {
      call.held!.begin()
      return new Promise(() => {})
    }
    const stage = await lifeOf(plan('A! -> B!'), { steps: { A: held } })
    interrupt(stage)
    await turnOfTheLoop()
    assert.deepEqual(stage.ending, { kind: 'interrupted' })
    assert.equal(recall(stage.journal).interruptions.size, 0)
    const again = await lifeOf(plan('A! -> B!'), { journal: stage.journal })
    assert.deepEqual(again.invoked, ['A', 'B'])
  })

  it('waits for steps that wait for another turn, since they have done something', async () => {
    let finish: (() => void) | undefined
    const heldAgain: Behaviour = (call) => {
      call.held!.begin()()
      call.held!.begin()
      return new Promise((resolve) => {
        finish = () => resolve(tellTale(call))
      })
    }
    const stage = await lifeOf(plan('A! -> B!'), { steps: { A: heldAgain } })
    interrupt(stage)
    await turnOfTheLoop()
    assert.equal(stage.ending, undefined)
    finish!()
    await turnOfTheLoop()
    assert.deepEqual(settledIn(stage.journal), ['A'])
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
