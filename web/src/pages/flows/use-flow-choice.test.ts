import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rangeOf } from './use-flow-choice.ts'

it('a range goes from the row that was chosen last to this one, up or down', () => {
  const ids = ['a', 'b', 'c', 'd']
  assert.deepEqual(rangeOf(ids, 'b', 'd'), ['b', 'c', 'd'])
  assert.deepEqual(rangeOf(ids, 'c', 'a'), ['a', 'b', 'c'])
  assert.deepEqual(rangeOf(ids, 'c', 'c'), ['c'])
  assert.deepEqual(rangeOf(ids, undefined, 'c'), ['c'])
  assert.deepEqual(rangeOf(ids, 'gone', 'c'), ['c'])
})
