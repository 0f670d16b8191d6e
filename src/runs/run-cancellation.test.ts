import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { turnOfTheLoop } from '../engine/execution.test-kit.ts'
import type { OpenRun } from '../store/children.ts'
import { type CancellationDeps, RunCancellation } from './run-cancellation.ts'

const CHILD: OpenRun = { seq: 2, id: 'child', flowId: 'flow-1' }

/** A run whose child stops when it has been looked for so often. */
function stoppingAfter(looks: number) {
  const clock = manualClock()
  const told: string[] = []
  let left = looks
  const deps = {
    clock,
    store: { orphanedBelow: async () => (left-- > 0 ? [CHILD] : []) },
    dispatcher: { cancel: ({ id }: OpenRun) => told.push(id), mayHaveDue: () => {} }
  } as unknown as CancellationDeps
  return { cancellation: new RunCancellation(deps), clock, told }
}

async function advance(clock: ReturnType<typeof manualClock>, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 200) {
    await turnOfTheLoop()
    clock.advance(200)
  }
  await turnOfTheLoop()
}

describe('what a run had started that is to be retried', () => {
  it('is told to stop, once, and waited for', async () => {
    const { cancellation, clock, told } = stoppingAfter(3)
    let hasStopped = false
    const waiting = cancellation.stopBelow({ seq: 1, id: 'parent' }).then(() => {
      hasStopped = true
    })
    await advance(clock, 200)
    assert.equal(hasStopped, false)
    await advance(clock, 600)
    await waiting
    assert.deepEqual(told, ['child'])
  })

  it('is not waited for without end', async () => {
    const { cancellation, clock } = stoppingAfter(Number.POSITIVE_INFINITY)
    const refused = assert.rejects(cancellation.stopBelow({ seq: 1, id: 'parent' }), {
      code: 'run_not_retryable'
    })
    await advance(clock, 12_000)
    await refused
  })
})
