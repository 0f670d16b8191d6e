import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anythingFlow, callFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile()

describe('the webhook accepts', () => {
  it('on both paths, by id and by slug, with exactly the start response', async (t) => {
    const service = await shared(t)
    const flow = await service.createFlow(ordersFlow())
    for (const base of ['/api/v1/webhook/', '/v1/webhook/']) {
      for (const name of [flow.id, flow.slug]) {
        const answer = await service.post(base + name, ORDER)
        assert.equal(answer.status, 202)
        const { run_id } = answer.json<{ run_id: string }>()
        assert.equal(
          answer.text,
          `{"message":"Task started in the background","status":"in progress","run_id":"${run_id}"}`
        )
        assert.match(answer.headers.get('content-type')!, /^application\/json\b/)
        const location = answer.headers.get('location')!
        assert.equal(location, `/api/v1/runs/${run_id}`)
        const run = await service.waitForRun(run_id)
        assert.equal(run.status, 'succeeded')
        assert.equal(run.trigger, 'webhook')
        assert.equal(run.flow_id, flow.id)
        assert.deepEqual(run.input, ORDER)
        assert.equal((await service.get(location)).status, 200)
      }
    }
  })

  it('a caller that prefers to wait, and tells how the run ended and nothing else', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(ordersFlow())
    const wait = { headers: { prefer: 'wait=30' } }
    const good = await service.webhook(slug, JSON.stringify(ORDER), wait)
    assert.equal(good.status, 202)
    assert.deepEqual(Object.keys(good.json()), ['message', 'status', 'run_id'])
    assert.equal(good.json().status, 'succeeded')
    assert.equal(good.headers.get('preference-applied'), 'wait=30')
    const bad = await service.webhook(slug, '{}', { headers: { prefer: 'respond-async, wait=30' } })
    assert.equal(bad.status, 202)
    assert.equal(bad.json().status, 'failed')
    assert.deepEqual(Object.keys(bad.json()), ['message', 'status', 'run_id'])
  })

  it('a caller that waits too short, which learns that the run goes on', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(callFlow(outside.url()))
    const answer = await service.webhook(slug, '{}', { headers: { prefer: 'wait=0' } })
    assert.equal(answer.status, 202)
    assert.equal(answer.json().status, 'in progress')
    const call = await outside.next()
    call.answer()
    assert.equal((await service.waitForRun(answer.json<{ run_id: string }>().run_id)).status, 'succeeded')
  })

  it('whatever a wait preference holds', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    for (const prefer of ['', 'wait', 'wait=', 'wait=-1', 'wait=abc', 'await=5', ';;;', 'respond-async']) {
      const answer = await service.webhook(slug, '{}', { headers: { prefer } })
      assert.equal(answer.status, 202, prefer)
      assert.equal(answer.json().status, 'in progress', prefer)
    }
    for (const prefer of ['WAIT=30', 'wait = "30"', 'wait=99999999999999999999', 'a=b; c, wait=30; d']) {
      const answer = await service.webhook(slug, '{}', { headers: { prefer } })
      assert.equal(answer.status, 202, prefer)
      assert.equal(answer.json().status, 'succeeded', prefer)
    }
  })
})
