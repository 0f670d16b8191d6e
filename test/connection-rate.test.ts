import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from './support/eventually.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile, startService, temporaryFolder } from './support/service.ts'

const env = { MILLRACE_EGRESS_ALLOW: '127.0.0.1' }
const shared = serviceOfFile({ env })

it('all steps that use a connection keep to its rate, and what they wait for their turn is not their time', async (t) => {
  const service = await shared(t)
  const outside = await startOutside(t)
  const at: number[] = []
  outside.answerAll(() => {
    at.push(performance.now())
    return { body: {} }
  })
  const settings = { base_url: outside.url(), rate: 2 }
  const connection = { name: 'slow', kind: 'http', settings }
  assert.equal((await service.post('/api/v1/connections', connection)).status, 201)
  const call = (id: string) => {
    const fields = { connection: 'slow', url: `/${id}` }
    return { id, type: 'api-request', timeout_ms: 1_400, retry: { attempts: 1 }, fields }
  }
  const ids = ['a', 'b', 'c', 'd']
  const flow = await service.createFlow({
    name: 'Slow',
    nodes: [{ id: 'w', type: 'webhook' }, ...ids.map(call)],
    edges: ids.map((id) => ({ from: 'w.data', to: `${id}.data` }))
  })
  const since = performance.now()
  const run = await service.run(flow.slug, '{}')
  assert.equal(run.status, 'succeeded', JSON.stringify(run.error))
  assert.equal(at.length, 4)
  // The first one may be late on its way, and the others then come sooner after it: the last keeps its moment.
  assert.ok(at.at(-1)! - since > 1_490, `${at.at(-1)! - since} ms`)
})

it('a step that waits for its first turn does not hold the service when it stops, and goes on in the next one', async (t) => {
  const home = await temporaryFolder(t)
  const first = await startService(t, { home, env })
  const outside = await startOutside(t)
  let asked = 0
  outside.answerAll(() => {
    asked += 1
    return { body: {} }
  })
  const settings = { base_url: outside.url(), rate: 0.02 }
  await first.post('/api/v1/connections', { name: 'slow', kind: 'http', settings })
  const { slug } = await first.createFlow({
    name: 'Slow',
    nodes: [
      { id: 'w', type: 'webhook' },
      { id: 'a', type: 'api-request', fields: { connection: 'slow', url: '/' } }
    ],
    edges: [{ from: 'w.data', to: 'a.data' }]
  })
  await first.run(slug, '{}')
  const id = await first.start(slug, '{}')
  await eventually(async () => (await first.readRun(id)).status, 'in progress')
  const since = performance.now()
  await first.stop()
  assert.ok(performance.now() - since < 6_000, `${performance.now() - since} ms`)
  assert.equal(asked, 1)
  const second = await startService(t, { home, env })
  const run = await second.waitForRun(id)
  assert.deepEqual([run.status, asked], ['succeeded', 2])
})
