import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import { manualClock } from '../../clock.test-kit.ts'
import { acceptMany, sampleOutcome } from '../../store/contract/subject.test-kit.ts'
import { openTwo } from '../../store/postgres/shared-stores.test-kit.ts'
import type { RunToEnd } from '../../store/store.ts'
import { EndedWatch } from '../dispatch/ended-watch.ts'
import { type CancellationDeps, RunCancellation } from '../run-cancellation.ts'

const postgres = sharedPostgres()

test('a cancel that its run has outlived, cancelled and retried, does not cancel it again', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [run] = await acceptMany(a, 1)
  const [held] = await b.queue.claim([{ flowId: run!.flowId, most: 1, limit: null }])
  const clock = manualClock()
  const told = Promise.withResolvers<void>()
  const cancellation = new RunCancellation({
    clock,
    store: { ...a.runs, orphanedBelow: async () => [] },
    // Nobody is told of the end: whoever looks finds that the run goes on.
    watch: new EndedWatch(clock),
    dispatcher: {
      cancel: async (read: RunToEnd) => {
        const isHeld = await a.queue.wantCancel({ ...read, claim: read.claimedUnder! })
        told.resolve()
        return isHeld
      },
      stopOrphaned: () => []
    }
  } as unknown as CancellationDeps)
  const cancelling = cancellation.cancel((await a.runs.get(run!.id))!)
  await told.promise
  assert.deepEqual((await b.queue.heartbeat([held!])).cancelled, [held])
  const endNo = await b.runs.end(held!, sampleOutcome({ status: 'cancelled' }))
  await b.runs.reopen(run!, '"again"', { endNo: endNo! })
  clock.advance(10_000)
  await cancelling
  assert.deepEqual((await a.runs.get(run!.id))?.outcome, null)
})
