import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { ordersFlow } from './support/documents.ts'

const FLOWS = 300

it('a push that kill -9 meets is done or it is not', async (t) => {
  const env = { MILLRACE_API_KEY: CHILD_KEY }
  let service = await spawnService(t, { env })
  const { home } = service
  // Sooner, and later: whatever it had come to by then.
  for (const [round, ms] of [60, 240].entries()) {
    const client = await service.client(CHILD_KEY)
    const flows = Array.from({ length: FLOWS }, (_, at) =>
      ordersFlow({ slug: `crash-${at}`, name: `Round ${round}`, context: '/crash' })
    )
    const pushed = client.post('/api/v1/push', { flows }).catch(() => undefined)
    await Promise.race([pushed, new Promise((resolve) => setTimeout(resolve, ms))])
    await service.end('SIGKILL')
    await pushed
    service = await spawnService(t, { env, home })
    const after = await service.client(CHILD_KEY)
    const pulled = (await after.get('/api/v1/pull?prefix=crash-')).json<{ flows: { name: string }[] }>()
    const names = new Set(pulled.flows.map(({ name }) => name))
    assert.ok(names.size <= 1, `in round ${round} some flows are of ${[...names].join(' and ')}`)
    assert.ok([0, FLOWS].includes(pulled.flows.length), `${pulled.flows.length} flows`)
  }
  const client = await service.client(CHILD_KEY)
  const last = Array.from({ length: FLOWS }, (_, at) =>
    ordersFlow({ slug: `crash-${at}`, name: 'Last', context: '/crash' })
  )
  const done = await client.post('/api/v1/push', { flows: last })
  assert.equal(done.status, 200, done.text.slice(0, 500))
  await service.end('SIGTERM')
})
