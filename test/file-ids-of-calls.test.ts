import assert from 'node:assert/strict'
import { it } from 'node:test'
import { upload } from './support/paper-flows.ts'
import { type Service, startService } from './support/service.ts'
import { edge, ended, outputOf, startWaiting } from './support/waiting-flows.ts'

/** Whoever has the address of a wait needs no key, and so gives nothing by the id of a file. */

async function answer(service: Service, url: string, body: object): Promise<void> {
  const path = url.slice(service.address.length)
  const told = await service.request('POST', path, { body: Buffer.from(JSON.stringify(body)), key: null })
  assert.equal(told.status, 202, told.text)
}

it('the id of a file that a call sends opens nothing when the run is retried, however often', async (t) => {
  const service = await startService(t, { plugins: ['paper.ts'] })
  const others = await upload(service, 'of others')
  const flow = await service.createFlow({
    name: 'Called',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'address', type: 'parser', fields: { template: '{$resume.call-1}' } },
      { id: 'call-1', type: 'wait-for-call' },
      { id: 'paper', type: 'read-paper' }
    ],
    edges: [
      edge('webhook-1.data', 'address.data'),
      edge('address.parsed_text', 'call-1.data'),
      edge('call-1.data', 'paper.data')
    ]
  })
  const { id, steps } = await startWaiting(service, flow)
  await answer(service, String(outputOf({ steps } as never, 'address')!.parsed_text), others)
  for (let tries = 0; tries < 3; tries++) {
    const run = await ended(service, id)
    assert.match(run.error!.message, /no file "file_.*" that this run may open/)
    assert.equal((await service.post(`/api/v1/runs/${id}/retry`)).status, 202)
  }
  assert.equal((await ended(service, id)).status, 'failed')
})

for (const isInside of [true, false]) {
  it(`the id of a file that a call sends to an item opens nothing ${isInside ? 'in it' : 'behind it'}`, async (t) => {
    const service = await startService(t, { plugins: ['paper.ts'] })
    const others = await upload(service, 'of others')
    const flow = await service.createFlow({
      name: 'Called',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'each', type: 'for-each' },
        { id: 'call-1', type: 'wait-for-call', parent: 'each' },
        { id: 'paper', type: 'read-paper', ...(isInside && { parent: 'each' }) }
      ],
      edges: [
        edge('webhook-1.data', 'each.items'),
        edge('each.item', 'call-1.data'),
        ...(isInside
          ? [edge('call-1.data', 'paper.data'), edge('paper.data', 'each.result')]
          : [edge('call-1.data', 'each.result'), edge('each.results', 'paper.data')])
      ]
    })
    const events = await service.events(flow.id)
    const id = await service.start(flow.slug, '[1]')
    const heard = await events.until(({ event, data }) => event === 'run.waiting' && data.run_id !== id)
    events.close()
    const { data } = heard.at(-1)!
    const item = (await service.readRun(String(data.run_id))) as unknown as {
      waiting: { resume_url: string }[]
    }
    await answer(service, item.waiting[0]!.resume_url, others)
    const run = await ended(service, id)
    assert.match(run.error!.message, /no file "file_.*" that this run may open/)
  })
}
