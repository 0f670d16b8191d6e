import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callingOutside, childrenOf, type Returned } from './support/child-flows.ts'
import { startOutside } from './support/outside.ts'
import { sharedPostgres } from './support/postgres.ts'
import { startService } from './support/service.ts'

const postgres = sharedPostgres()

test('on PostgreSQL rounds follow each other, and items that failed run again', async (t) => {
  const env = { DATABASE_URL: await postgres.database() }
  const service = await startService(t, { plugins: ['call.ts'], env })
  const outside = await startOutside(t)
  let isDown = true
  outside.answerAll(({ path, body }) => {
    if (path === '/items') return body === '2' && isDown ? { status: 400 } : { body }
    const { n } = JSON.parse(body)
    return n === 3 && isDown ? { status: 400 } : { body: { n: n + 1 } }
  })
  const rounds = await service.createFlow({
    name: 'Rounds',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'again', type: 'repeat', fields: { until: 'data.n == 40' } },
      { id: 'call', type: 'call', parent: 'again', fields: { url: outside.url('/rounds') } },
      { id: 'answer', type: 'return' }
    ],
    edges: [
      { from: 'w.data', to: 'again.data' },
      { from: 'again.data', to: 'call.data' },
      { from: 'call.data', to: 'again.next' },
      { from: 'again.data', to: 'answer.data' }
    ]
  })
  const items = await service.createFlow(callingOutside(outside.url('/items'), { failures: 'collect' }))
  const [first, second] = [
    await service.start(rounds.slug, { n: 0 }),
    await service.start(items.slug, [1, 2])
  ]
  assert.equal((await service.waitForRun(first)).error?.code, 'round_failed')
  assert.deepEqual(((await service.waitForRun(second)) as Returned).output, ['1', null])

  isDown = false
  for (const id of [first, second]) assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
  assert.deepEqual(((await service.waitForRun(first)) as Returned).output, { n: 40 })
  assert.deepEqual(((await service.waitForRun(second)) as Returned).output, ['1', '2'])
  assert.equal((await childrenOf(service, first)).length, 40)
  assert.equal(outside.calls.length, 40 + 1 + 3)
})
