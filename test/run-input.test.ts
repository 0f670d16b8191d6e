import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { anythingFlow } from './support/documents.ts'
import { startService } from './support/service.ts'

describe('what was sent to start a run', () => {
  it('is answered byte for byte, as nothing that a browser would run', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow())
    for (const sent of ['{ "id" : 12345678901234567890,\n  "x":1.10 }', '<script>alert(1)</script>', '']) {
      const run = await service.start(slug, sent)
      const answer = await service.get(`/api/v1/runs/${run}/input`)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.text, sent)
      assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    }
  })

  it('is for those who see the flow', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(anythingFlow())
    const other = await service.createFlow({ ...anythingFlow(), name: 'Other' })
    const run = await service.start(flow.slug, '1')
    const path = `/api/v1/runs/${run}/input`
    const stranger = await service.createKey({ rights: ['read'], flow: other.id })
    problemOf(await service.get(path, { key: stranger.key }), 404, 'run_not_found')
    const trigger = await service.createKey({ rights: ['trigger'], flow: flow.id })
    problemOf(await service.get(path, { key: trigger.key }), 403, 'forbidden')
    const reader = await service.createKey({ rights: ['read'], flow: flow.id })
    assert.equal((await service.get(path, { key: reader.key })).text, '1')
  })
})
