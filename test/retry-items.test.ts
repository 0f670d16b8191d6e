import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

test('items that a retry opens again are queued until their turn comes', async (t) => {
  const service = await startService(t, { plugins: ['call.ts'] })
  const outside = await startOutside(t)
  const flow = await service.createFlow({
    name: 'Calls',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'each', type: 'for-each', fields: { concurrency: 2 } },
      { id: 'call', type: 'call', parent: 'each', fields: { url: outside.url() } }
    ],
    edges: [
      { from: 'w.data', to: 'each.items' },
      { from: 'each.item', to: 'call.data' },
      { from: 'call.data', to: 'each.result' }
    ]
  })
  const id = await service.start(flow.slug, [1, 2, 3, 4])
  const children = async (status = '') => {
    const answer = await service.get(`/api/v1/runs?parent=${id}&limit=100${status}`)
    return answer.json<{ runs: RunBody[] }>().runs.map((run) => run.status)
  }
  await Promise.all([outside.next(), outside.next()])
  await service.post(`/api/v1/runs/${id}/cancel`)
  await eventually(children, ['cancelled', 'cancelled', 'cancelled', 'cancelled'])
  await service.post(`/api/v1/runs/${id}/retry`)
  const calls = await Promise.all([outside.next(), outside.next()])
  assert.deepEqual(await children(), ['queued', 'queued', 'in progress', 'in progress'])
  assert.deepEqual(await children('&status=queued'), ['queued', 'queued'])
  for (const call of calls) call.answer()
  for (let left = 0; left < 2; left++) (await outside.next()).answer()
  await eventually(children, ['succeeded', 'succeeded', 'succeeded', 'succeeded'])
  assert.equal(outside.calls.length, 6)
})
