import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startOutside } from './support/outside.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile({ env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })

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
