import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import { PlanError } from '../../engine/plan.ts'
import { MillraceError } from '../../errors.ts'
import type { Outcome } from '../../store/store.ts'
import { acceptedRun } from '../record/stored-run.test-kit.ts'
import type { Executed, ExecutorDeps } from './executing-run.ts'
import { Persistence } from './persistence.ts'
import { RunExecutor } from './run-executor.ts'

const AWAY = new MillraceError('store_unwritable', 'the connection broke')
const CHILD = { seq: 1, runId: 'run-1', flowId: 'flow-1', node: 'each', index: 0 }

/** Rejects twice, as while a database restarts, and then does this. */
function awayTwice<Result>(then: () => Result): () => Promise<Result> {
  let looks = 0
  return async () => {
    if (looks++ < 2) throw AWAY
    return then()
  }
}

/** Executes one run with just these parts. */
function executing(run: object, parts: Partial<ExecutorDeps>) {
  const clock = manualClock()
  const persistence = new Persistence(clock)
  const outcomes: Outcome[] = []
  const done: Executed[] = []
  const nothing = () => {}
  const deps = {
    clock,
    persist: persistence.persist,
    store: { end: async (_run: object, outcome: Outcome) => outcomes.push(outcome) },
    publisher: { hasListeners: () => false, publish: nothing },
    onUsage: nothing,
    onEnded: nothing,
    answers: { isAwaited: () => false, answered: nothing },
    onChildEnded: nothing,
    ...parts
  } as unknown as ExecutorDeps
  const execution = new RunExecutor(deps).execute({ run: acceptedRun(2, run), journal: [] }, false, {
    awaits: nothing,
    done: (how) => done.push(how)
  })
  const comesBack = async () => {
    for (let look = 0; look < 4; look++) {
      await turnOfTheLoop()
      clock.advance(1_000)
    }
    await turnOfTheLoop()
  }
  return { outcomes, done, persistence, execution, comesBack }
}

describe('a run whose start cannot be read because the store is away', () => {
  it('waits, and begins when it is back: of a child what it begins with', async () => {
    const of = awayTwice(() => 'orphaned' as const)
    const { outcomes, done, comesBack } = executing({ parent: CHILD }, { childStarts: { of } })
    await comesBack()
    assert.deepEqual([outcomes.map(({ status }) => status), done], [['cancelled'], ['ended']])
  })

  it('waits, and begins when it is back: of any other its flow', async () => {
    const planOf = awayTwice(() => {
      throw new PlanError('parser-1', 'type_unknown', 'There is no such component.')
    })
    const { outcomes, comesBack } = executing({}, { planOf })
    await comesBack()
    assert.match(outcomes[0]!.error!, /There is no such component/)
  })

  it('is given back when the service stops before that', async () => {
    const of = () => Promise.reject(AWAY)
    const { outcomes, done, persistence, comesBack } = executing({ parent: CHILD }, { childStarts: { of } })
    await turnOfTheLoop()
    persistence.stop()
    await comesBack()
    assert.deepEqual([outcomes, done], [[], ['interrupted']])
  })
})

describe('a run whose end the store refuses for a while', () => {
  const failing = () => {
    throw new PlanError('parser-1', 'type_unknown', 'There is no such component.')
  }

  it('ends when it is back', async () => {
    const end = awayTwice(() => 7)
    const { done, comesBack } = executing({}, { planOf: failing, store: { end } as never })
    await comesBack()
    assert.deepEqual(done, ['ended'])
  })

  it('writes nothing any more where somebody has ended it meanwhile: it may have been opened again', async () => {
    const written: string[] = []
    const end = awayTwice(() => written.push('an end'))
    const { done, execution, comesBack } = executing({}, { planOf: failing, store: { end } as never })
    await turnOfTheLoop()
    execution.notify('ended')
    await comesBack()
    assert.deepEqual([written, done], [[], ['lost']])
  })

  it('writes nothing while somebody opens it again, and ends where that was refused: it had not ended', async () => {
    const { written, done, execution, comesBack } = endingLate()
    await turnOfTheLoop()
    for (const news of ['reopening', 'reopening', 'not reopened'] as const) execution.notify(news)
    await comesBack()
    assert.deepEqual([written, done], [[], []])
    execution.notify('not reopened')
    await comesBack()
    assert.deepEqual([written, done], [['an end'], ['ended']])
  })

  it('writes nothing where it was opened again: that belongs to the life that is over', async () => {
    const { written, done, execution, comesBack } = endingLate()
    await turnOfTheLoop()
    for (const news of ['reopening', 'reopening', 'ended', 'not reopened'] as const) execution.notify(news)
    await comesBack()
    assert.deepEqual([written, done], [[], ['lost']])
  })

  function endingLate() {
    const written: string[] = []
    const end = awayTwice(() => written.push('an end'))
    return { written, ...executing({}, { planOf: failing, store: { end } as never }) }
  }
})
