import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunBody } from './support/api-client.ts'
import { eventually } from './support/eventually.ts'
import { startService } from './support/service.ts'

const ITEMS = Array.from({ length: 8_000 }, (_, index) => ({ name: `n${index}` }))

test('four long lists that a For each goes through let other flows go on', async (t) => {
  const service = await startService(t)
  const { slug } = await service.createFlow({
    name: 'Long',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'each', type: 'for-each' },
      { id: 'line', type: 'parser', parent: 'each', fields: { template: 'Hello {name}' } }
    ],
    edges: [
      { from: 'w.data', to: 'each.items' },
      { from: 'each.item', to: 'line.data' },
      { from: 'line.parsed_text', to: 'each.result' }
    ]
  })
  const short = await service.createFlow({
    name: 'Short',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'each', type: 'for-each' },
      { id: 'line', type: 'parser', parent: 'each', fields: { template: 'Hello {name}' } },
      { id: 'answer', type: 'return' }
    ],
    edges: [
      { from: 'w.data', to: 'each.items' },
      { from: 'each.item', to: 'line.data' },
      { from: 'line.parsed_text', to: 'each.result' },
      { from: 'each.results', to: 'answer.data' }
    ]
  })
  const ids = await Promise.all([1, 2, 3, 4].map(() => service.start(slug, ITEMS)))
  const statuses = () => Promise.all(ids.map(async (id) => (await service.readRun(id)).status))
  await eventually(
    statuses,
    ids.map(() => 'in progress')
  )
  const answer = await service.post(`/api/v1/run/${short.slug}`, { input: [{ name: 'Ann' }] })
  assert.deepEqual(answer.json<RunBody & { output: unknown }>().output, ['Hello Ann'])
  assert.deepEqual(
    await statuses(),
    ids.map(() => 'in progress')
  )
  for (const id of ids) await service.post(`/api/v1/runs/${id}/cancel`)
})
