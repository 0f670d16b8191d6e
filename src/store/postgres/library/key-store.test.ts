import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../test/support/postgres.ts'
import { sampleKey } from '../../contract/subject.test-kit.ts'
import { openTwo } from '../shared-stores.test-kit.ts'

const postgres = sharedPostgres()

test('of two processes that remove all but the last key at once, one is refused', async (t) => {
  const { a, b, begin, untilBlocked } = await openTwo(t, postgres)
  const keys = [sampleKey(), sampleKey()]
  for (const key of keys) await a.keys.put(key)
  const isNotLast = (_key: unknown, others: readonly unknown[]) => others.length > 0
  // Both are on their way before either has looked.
  const other = await begin('LOCK TABLE millrace.keys IN ACCESS EXCLUSIVE MODE')
  const removals = [a.keys.remove(keys[0]!.id, isNotLast), b.keys.remove(keys[1]!.id, isNotLast)]
  await untilBlocked(Promise.all(removals))
  await other.commit()
  assert.deepEqual((await Promise.all(removals)).sort(), ['refused', 'removed'])
  assert.equal((await a.keys.list()).length, 1)
})
