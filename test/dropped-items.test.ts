import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { startService } from './support/service.ts'

const MANY = 600

test('items that are dropped do nothing more, however many others are open', async (t) => {
  const service = await startService(t, { plugins: ['call.ts'] })
  const outside = await startOutside(t)
  const call = (id: string, parent?: string) => ({
    id,
    type: 'call',
    fields: { url: outside.url(`/${id}`) },
    ...(parent !== undefined && { parent })
  })
  const { slug } = await service.createFlow({
    name: 'Drops',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'many', type: 'for-each', fields: { concurrency: 1 } },
      call('held', 'many'),
      call('begin'),
      { id: 'few', type: 'for-each', on_error: 'output', fields: { concurrency: 2, failures: 'stop' } },
      call('first', 'few'),
      call('second', 'few'),
      { id: 'told', type: 'return' }
    ],
    edges: [
      { from: 'w.data', to: 'many.items' },
      { from: 'many.item', to: 'held.data' },
      { from: 'held.data', to: 'many.result' },
      { from: 'w.data', to: 'begin.data' },
      { from: 'begin.data', to: 'few.items' },
      { from: 'few.item', to: 'first.data' },
      { from: 'first.data', to: 'second.data' },
      { from: 'second.data', to: 'few.result' },
      { from: 'few.error', to: 'told.data' }
    ]
  })
  const items = Array.from({ length: MANY }, (_, index) => index)
  const id = await service.start(slug, items)
  const begun = [await outside.next(), await outside.next()]
  const open = async () => {
    const answer = await service.get(`/api/v1/runs?parent=${id}&node=many&limit=1&counts=true`)
    return answer.json<{ counts: { open: number } }>().counts.open
  }
  await eventually(open, MANY)
  begun.find(({ path }) => path === '/begin')!.answer(['fails', 'goes on'])
  const [one, two] = [await outside.next(), await outside.next()]
  const failing = one!.body === '"fails"' ? one! : two!
  failing.answer({}, 400)
  // It was on its way to the second call.
  await eventually(async () => {
    const read = await service.get(`/api/v1/runs?parent=${id}&node=few&limit=10`)
    return read
      .json<{ runs: { status: string }[] }>()
      .runs.map(({ status }) => status)
      .sort()
  }, ['cancelled', 'failed'])
  assert.deepEqual(
    outside.calls.filter(({ path }) => path === '/second'),
    []
  )
  await service.post(`/api/v1/runs/${id}/cancel`)
})
