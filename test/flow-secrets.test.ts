import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowBody } from './support/api-client.ts'
import { startService } from './support/service.ts'

const SECRET = 'the-secret-of-the-shop'

/** A component of a plugin with a field of the kind secret. */
function secretFlow() {
  return { name: 'Secret', nodes: [{ id: 'k', type: 'kinds', fields: { words: 'hello', secret: SECRET } }] }
}

describe('what stands in secret fields of a flow', () => {
  it('is read by keys that may write it, and by no others, in lists and old versions too', async (t) => {
    const service = await startService(t, { plugins: ['kinds.ts'] })
    const flow = await service.createFlow(secretFlow())
    await service.saveFlow(flow, { name: 'Renamed' })
    const addresses = [
      `/api/v1/flows/${flow.id}`,
      '/api/v1/flows',
      '/api/v1/flows?recent=3',
      `/api/v1/flows/${flow.id}/versions/1`,
      `/api/v1/flows/${flow.id}/versions/2`
    ]
    const reader = await service.createKey({ rights: ['read', 'trigger'] })
    const writer = await service.createKey({ rights: ['read', 'write'] })
    for (const address of addresses) {
      const read = await service.get(address, { key: reader.key })
      assert.equal(read.status, 200, read.text)
      assert.ok(!read.text.includes(SECRET), address)
      assert.ok(read.text.includes('"words":"hello"'), 'all else is there')
      assert.ok((await service.get(address, { key: writer.key })).text.includes(SECRET), address)
    }
  })

  it('survives reading and saving', async (t) => {
    const service = await startService(t, { plugins: ['kinds.ts'] })
    const { id } = await service.createFlow(secretFlow())
    const read = (await service.get(`/api/v1/flows/${id}`)).json<FlowBody>()
    const saved = await service.saveFlow(read, { name: 'Renamed' })
    assert.deepEqual(saved.nodes[0]!.fields, secretFlow().nodes[0]!.fields)
  })

  it('is left out with all other fields where nobody knows which are secret', async (t) => {
    const first = await startService(t, { plugins: ['call.ts'] })
    const fields = { url: 'http://127.0.0.1/?token=s3cret' }
    const { id } = await first.createFlow({ name: 'Gone', nodes: [{ id: 'c', type: 'call', fields }] })
    const { key } = await first.createKey({ rights: ['read'] })
    await first.stop()
    const service = await startService(t, { home: first.home })
    const read = await service.get(`/api/v1/flows/${id}`, { key })
    assert.deepEqual(read.json<FlowBody>().nodes[0]!.fields, {})
    assert.deepEqual((await service.get(`/api/v1/flows/${id}`)).json<FlowBody>().nodes[0]!.fields, fields)
  })
})
