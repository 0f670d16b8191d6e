import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import { acceptedRun } from '../record/stored-run.test-kit.ts'
import type { RunInContext } from '../steps/run-in-context.ts'
import { callStartHooks } from './start-hooks.ts'

function around(...onRunStart: RunInContext['context']['onRunStart']): RunInContext {
  const context = { onRunStart, decorations: {}, variables: {} } as unknown as RunInContext['context']
  const { newId, now } = manualClock()
  const start = { input: null, request: null }
  return { run: acceptedRun(1), start, context, newId, now } as RunInContext
}

describe('hooks at the start of a run', () => {
  it('that never come back fail the run after two minutes, and leave no timer', async () => {
    const clock = manualClock()
    const called = callStartHooks(
      around(() => new Promise(() => {})),
      clock,
      () => false
    )
    await turnOfTheLoop()
    clock.advance(120_000)
    const failure = await called
    assert.equal(failure?.code, 'hook_failed')
    assert.match(failure!.message, /onRunStart.*120000 ms/)
    assert.equal(clock.timers, 0)
  })

  it('are not called any more once the run is over', async () => {
    const calls: string[] = []
    let isOver = false
    const first = () => {
      calls.push('first')
      isOver = true
    }
    const hooks = around(first, () => void calls.push('second'))
    assert.equal(await callStartHooks(hooks, manualClock(), () => isOver), null)
    assert.deepEqual(calls, ['first'])
  })
})
