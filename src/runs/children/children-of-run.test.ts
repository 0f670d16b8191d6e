import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import { MillraceError } from '../../errors.ts'
import { Persistence } from '../execute/persistence.ts'
import { ChildrenOfRun } from './children-of-run.ts'

describe('the children of a run that has failed', () => {
  it('are cancelled as soon as the store can be reached', async () => {
    const clock = manualClock()
    let asked = 0
    const cancelOrphaned = async () => {
      asked++
      if (asked < 3) throw new MillraceError('store_unwritable', 'The database restarts.')
    }
    const { persist } = new Persistence(clock)
    const deps = { cancelOrphaned, persist, outside: { forget: () => {} } }
    const children = new ChildrenOfRun({ run: { seq: 1 } } as never, deps as never)
    children.hasSome()
    children.parentEnded('failed')
    for (const ms of [0, 100, 200, 60_000]) {
      clock.advance(ms)
      await turnOfTheLoop()
    }
    assert.equal(asked, 3)
  })
})
