import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import { MillraceError } from '../../errors.ts'
import type { ExecutableRun } from '../../store/store.ts'
import type { ExecutorDeps } from './executing-run.ts'
import { Persistence } from './persistence.ts'
import { RunWrites } from './run-writes.ts'

describe('a write that the store refused', () => {
  function refusedOnce() {
    const clock = manualClock()
    const { persist } = new Persistence(clock)
    const writes = new RunWrites({} as ExecutableRun, { persist } as ExecutorDeps)
    let asked = 0
    const written = writes.own(async () => {
      if (asked++ === 0) throw new MillraceError('store_unwritable', 'the disk is full')
      return 7
    })
    const comesBack = async () => {
      await turnOfTheLoop()
      clock.advance(1_000)
      return written
    }
    return { writes, comesBack, asked: () => asked }
  }

  it('is tried again while the run is executed', async () => {
    const { comesBack } = refusedOnce()
    assert.equal(await comesBack(), 7)
  })

  it('is not tried again once the run was handed back: somebody may have retried it, and it has a new journal', async () => {
    const { writes, comesBack, asked } = refusedOnce()
    writes.stop()
    assert.equal(await comesBack(), null)
    assert.equal(asked(), 1)
  })
})
