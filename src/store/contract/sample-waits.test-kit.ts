import assert from 'node:assert/strict'
import type { AcceptedRun, Store } from '../store.ts'
import type { NewWait, Wake } from '../waits.ts'
import { sampleId, sampleRun } from './subject.test-kit.ts'

export const ALL = { runs: 1_000, bytes: 1_000_000 }

export function sampleWait(given: Partial<NewWait> = {}): NewWait {
  return {
    id: sampleId(),
    node: 'wait-1',
    kind: 'call',
    createdAt: 1_000,
    expiresAt: 9_000,
    question: null,
    ...given
  }
}

export function sampleWake(run: AcceptedRun, given: Partial<Wake> = {}): Wake {
  return { run, node: 'wait-1', at: 2_000, entry: '"woken"', answer: '{"choice":"yes"}', ...given }
}

/** A run whose step waits, and which is parked with the time of the wait. */
export async function parkedRun(store: Store, given: Partial<NewWait> = {}) {
  const run = await store.runs.accept(sampleRun())
  const wait = sampleWait(given)
  assert.ok((await store.runs.openWait(run, '"waiting"', wait)) !== null)
  await store.runs.park(run, '"parked"', wait.expiresAt, [wait.node])
  return { run, wait }
}
