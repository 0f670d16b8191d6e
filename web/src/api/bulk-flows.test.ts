import assert from 'node:assert/strict'
import { it } from 'node:test'
import { actOnFlows, type BulkRequest, MOST_AT_ONCE } from './bulk-flows.ts'

it('a bulk action acts on any number of flows, so many at a time, and tells of each in their order', async () => {
  const ids = Array.from({ length: 2 * MOST_AT_ONCE + 1 }, (_, n) => `flow-${n}`)
  const sizes: number[] = []
  const post = async (path: string, options: { body?: unknown } = {}) => {
    const { ids, ...rest } = options.body as BulkRequest
    assert.deepEqual([path, rest], ['flows/bulk', { action: 'tag', tags: ['shop'] }])
    sizes.push(ids.length)
    return { results: ids.map((id) => ({ id, ok: true })) }
  }
  const results = await actOnFlows({ post: post as never }, { action: 'tag', tags: ['shop'], ids })
  assert.deepEqual(sizes, [500, 500, 1])
  assert.deepEqual(
    results.map(({ id }) => id),
    ids
  )
})
