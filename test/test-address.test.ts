import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, type FlowBody, problemOf, type RunBody } from './support/api-client.ts'
import { ordersFlow } from './support/documents.ts'
import { serviceOfFile, shiftedClock, startService } from './support/service.ts'

const shared = serviceOfFile()

interface Opened {
  readonly address: string
  readonly expires_at: string
}

async function addressOf(service: ApiClient, { id }: FlowBody): Promise<string> {
  const answer = await service.post(`/api/v1/flows/${id}/draft/address`)
  assert.equal(answer.status, 201, answer.text)
  return answer.json<Opened>().address
}

async function runOf(service: ApiClient, answer: Response): Promise<RunBody & { readonly test: boolean }> {
  assert.equal(answer.status, 202)
  const { run_id } = (await answer.json()) as { run_id: string }
  return (await service.waitForRun(run_id)) as RunBody & { readonly test: boolean }
}

const anyPlace = { position: { x: 0, y: 0 } }

test('requests to a test address run the draft before anything of it is live', async (t) => {
  const service = await shared(t)
  const flow = await service.createFlow({ name: 'New', slug: 'new', nodes: [], edges: [] })
  const nodes = [{ id: 'webhook-1', type: 'webhook', fields: { auth: 'Signature' }, ...anyPlace }]
  problemOf(await service.post(`/api/v1/flows/${flow.id}/draft/address`), 409, 'flow_without_webhook')
  const draft = { ...flow, nodes, revision: 0 }
  assert.equal((await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body: draft })).status, 200)
  const address = await addressOf(service, flow)

  const json = await runOf(service, await fetch(address, { method: 'POST', body: '{"total":7.10}' }))
  assert.deepEqual([json.test, json.trigger, json.status], [true, 'webhook', 'succeeded'])
  assert.deepEqual(json.steps[0]!.outputs!.data, { total: 7.1 })
  const form = new FormData()
  form.set('name', 'Ann')
  form.set('cv', new Blob(['one'], { type: 'text/plain' }), 'cv.txt')
  const filled = await runOf(service, await fetch(address, { method: 'PUT', body: form }))
  assert.partialDeepStrictEqual(filled.input, { name: 'Ann', cv: { filename: 'cv.txt', size: 3 } })
  const signature = `sha256=${'ab12'.repeat(16)}`
  const headers = { 'x-acme-signature': signature, authorization: 'Bearer sesame' }
  const asked = await runOf(service, await fetch(`${address}?a=1`, { headers }))
  assert.deepEqual(asked.input, { a: '1' })
  assert.partialDeepStrictEqual(asked, {
    request: { headers: { 'x-acme-signature': 'sha256=[64 hex]', authorization: '[hidden]' } }
  })
  const token = address.split('/').at(-1)!
  const escaped = address.replace(token, `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`)
  const proxied = { 'x-original-uri': `/api/v1/test-webhook/${token}` }
  for (const run of [asked, await runOf(service, await fetch(escaped, { headers: proxied }))]) {
    assert.ok(!JSON.stringify(run).includes(token.slice(1)), 'who reads the run could try the draft')
  }
  problemOf(await service.post('/api/v1/webhook/new', {}), 409, 'flow_without_webhook')
})

test('of a draft that is half done the part up to its Webhook runs', async (t) => {
  const service = await shared(t)
  const flow = await service.createFlow(ordersFlow())
  const broken = flow.nodes.map((node) =>
    node.type === 'parser' ? { ...node, fields: { template: '{' } } : node
  )
  const draft = { ...flow, nodes: broken, revision: 0 }
  assert.equal((await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, { body: draft })).status, 200)
  const run = await runOf(
    service,
    await fetch(await addressOf(service, flow), { method: 'POST', body: '{"a":1}' })
  )
  assert.deepEqual([run.status, run.steps.map(({ node }) => node)], ['succeeded', ['webhook-1']])
})

test('an address that was made up, or whose time is over, takes nothing', async (t) => {
  const { clock, advance } = shiftedClock()
  const service = await startService(t, { clock })
  const flow = await service.createFlow(ordersFlow())
  const address = await addressOf(service, flow)
  const post = (url: string) => fetch(url, { method: 'POST', body: '{}' })
  const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code
  const forged = await post(`${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`)
  assert.deepEqual([forged.status, await codeOf(forged)], [404, 'link_not_found'])
  advance(3_600_001)
  const late = await post(address)
  assert.deepEqual([late.status, await codeOf(late)], [410, 'test_address_over'])
  await service.request('DELETE', `/api/v1/flows/${flow.id}`)
  assert.equal((await post(address)).status, 404)
})
