import assert from 'node:assert/strict'
import { it } from 'node:test'
import { commonTags, tagChanges } from './tag-changes.ts'

it('tags that all flows have are theirs together', () => {
  assert.deepEqual(commonTags([{ tags: ['a', 'b'] }, { tags: ['b', 'c'] }]), ['b'])
  assert.deepEqual(commonTags([{ tags: ['a'] }, {}]), [])
  assert.deepEqual(commonTags([]), [])
})

it('only what is different is sent', () => {
  assert.deepEqual(tagChanges(['a', 'b'], ['b', 'c']), { add: ['c'], remove: ['a'] })
  assert.deepEqual(tagChanges(['a'], ['a']), { add: [], remove: [] })
})
