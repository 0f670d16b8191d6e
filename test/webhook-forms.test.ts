import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { anythingFlow, ordersFlow } from './support/documents.ts'
import { multipartOf } from './support/form-body.ts'
import { readBack } from './support/read-back.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

const URLENCODED = 'application/x-www-form-urlencoded'

function send(service: ApiClient, slug: string, body: string | Buffer, type: string, headers = {}) {
  return service.webhook(slug, Buffer.from(body), { headers: { 'content-type': type, ...headers } })
}

async function inputOf(service: ApiClient, slug: string, body: string | Buffer, type: string, headers = {}) {
  const answer = await send(service, slug, body, type, headers)
  assert.equal(answer.status, 202, answer.text)
  return (await service.waitForRun(answer.json<{ run_id: string }>().run_id)).input
}

describe('a form that is sent to a webhook', () => {
  it('is an object of texts, unless it is JSON', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    for (const [body, input] of [
      ['order_id=7&customer=%C3%84nn+B', { order_id: '7', customer: 'Änn B' }],
      ['tag=a&tag=b&empty=', { tag: ['a', 'b'], empty: '' }],
      ['{"order_id":7}', { order_id: 7 }],
      [' [1,2]\n', [1, 2]],
      ['-7.5', -7.5],
      ['"text"', 'text'],
      ['null', null],
      ['7=x', { 7: 'x' }],
      ['true=x', { true: 'x' }],
      ['hello', { hello: '' }],
      ['', { payload: '' }]
    ] as const)
      assert.deepEqual(await inputOf(service, slug, body, URLENCODED), input, body)
    const typed = await inputOf(service, slug, 'a=%C3%84', `${URLENCODED.toUpperCase()} ; charset=UTF-8`)
    assert.deepEqual(typed, { a: 'Ä' })
  })

  it('keeps every digit of JSON that curl sends as a form', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const answer = await send(service, slug, '{"id":12345678901234567890}', URLENCODED)
    const { run_id } = answer.json<{ run_id: string }>()
    await service.waitForRun(run_id)
    assert.match((await readBack(service, run_id)).text, /"input":\{"id":12345678901234567890\}/)
  })

  it('feeds a template, is replayed, and is known when it comes again', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(ordersFlow())
    const headers = { 'idempotency-key': `form-${slug}`, prefer: 'wait=30' }
    const first = await send(service, slug, 'order_id=7&customer=Ann', URLENCODED, headers)
    assert.equal(first.json().status, 'succeeded', first.text)
    const again = await send(service, slug, 'order_id=7&customer=Ann', URLENCODED, headers)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await send(service, slug, 'order_id=8&customer=Ann', URLENCODED, headers)
    problemOf(other, 422, 'idempotency_key_reused')
    const { run_id } = first.json<{ run_id: string }>()
    const replay = await service.post(`/api/v1/runs/${run_id}/replay`, {})
    const run = await service.waitForRun(replay.json<{ run_id: string }>().run_id)
    assert.deepEqual(run.steps.find(({ node }) => node === 'parser-1')!.outputs, {
      parsed_text: 'Order 7 from Ann'
    })
  })

  it('may be signed, as Slack signs what people type', async (t) => {
    const service = await shared(t)
    const fields = { auth: 'Signature', signature_scheme: 'Slack', signing_secret: 'shared-by-both-of-us' }
    const { slug } = await service.createFlow(anythingFlow(fields))
    const body = 'token=x&command=%2Fweather&text=94070'
    const time = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', 'shared-by-both-of-us').update(`v0:${time}:${body}`).digest('hex')
    const headers = { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${signature}` }
    const sent = { key: null, headers: { 'content-type': URLENCODED, ...headers } }
    const answer = await service.webhook(slug, Buffer.from(body), sent)
    assert.equal(answer.status, 202, answer.text)
    const run = await service.waitForRun(answer.json<{ run_id: string }>().run_id)
    assert.deepEqual(run.input, { token: 'x', command: '/weather', text: '94070' })
    const forged = await service.webhook(slug, Buffer.from(`${body}1`), sent)
    assert.equal(forged.status, 401)
  })

  it('names a delivery by one of its fields', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ deduplicate_by: '{id}' }))
    const first = await send(service, slug, 'id=evt_1&n=1', URLENCODED)
    const again = await send(service, slug, 'id=evt_1&n=2', URLENCODED)
    assert.equal(again.json().run_id, first.json().run_id)
  })

  it('with more fields than a form has, or a name of no field, is refused', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const many = Array.from({ length: 1_001 }, (_, at) => `n${at}=`).join('&')
    problemOf(await send(service, slug, many, URLENCODED), 413, 'body_too_large')
    problemOf(await send(service, slug, `${'x'.repeat(1_001)}=1`, URLENCODED), 400, 'form_invalid')
    problemOf(await send(service, slug, `a=${'x'.repeat(1_048_576)}`, URLENCODED), 413, 'body_too_large')
  })
})

describe('a multipart form without files', () => {
  it('is the same, packed and signed too', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const { body, type } = await multipartOf([
      ['customer', 'Änn\r\n--x'],
      ['tag', 'a'],
      ['tag', 'b'],
      ['__proto__', 'x']
    ])
    const input = JSON.stringify(await inputOf(service, slug, body, type))
    assert.equal(input, '{"customer":"Änn\\r\\n--x","tag":["a","b"],"__proto__":"x"}')
    const packed = await inputOf(service, slug, gzipSync(body), type, { 'content-encoding': 'gzip' })
    assert.equal(JSON.stringify(packed), input)
    const fields = { auth: 'Signature', signature_scheme: 'GitHub', signing_secret: 'shared-by-both-of-us' }
    const signed = await service.createFlow(anythingFlow(fields))
    const signature = createHmac('sha256', 'shared-by-both-of-us').update(body).digest('hex')
    const headers = { 'x-hub-signature-256': `sha256=${signature}` }
    assert.equal(JSON.stringify(await inputOf(service, signed.slug, body, type, headers)), input)
    const forged = await send(service, signed.slug, Buffer.concat([body, Buffer.from('x')]), type, headers)
    assert.equal(forged.status, 401)
  })

  it('is known when it comes again, also built anew', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const headers = { 'idempotency-key': `multipart-${slug}` }
    const [one, same, other] = await Promise.all(['1', '1', '2'].map((n) => multipartOf([['n', n]])))
    assert.notEqual(one!.type, same!.type)
    const first = await send(service, slug, one!.body, one!.type, headers)
    const again = await send(service, slug, same!.body, same!.type, headers)
    assert.deepEqual([again.status, again.json().run_id], [202, first.json().run_id])
    problemOf(await send(service, slug, other!.body, other!.type, headers), 422, 'idempotency_key_reused')
  })

  it('that is broken is refused whole, and one that is JSON is JSON', async (t) => {
    const service = await shared(t)
    const { slug, id } = await service.createFlow(anythingFlow())
    const { body, type } = await multipartOf([['n', '1']])
    for (const [broken, as] of [
      [body.subarray(0, -6), type],
      [body, 'multipart/form-data'],
      [Buffer.from('hello'), type],
      [Buffer.from('{"a":'), type]
    ] as const)
      problemOf(await send(service, slug, broken, as), 400, 'form_invalid')
    assert.deepEqual((await service.get(`/api/v1/runs?flow_id=${id}`)).json().runs, [])
    assert.deepEqual(await inputOf(service, slug, '{"a":1}', 'multipart/form-data'), { a: 1 })
  })
})
