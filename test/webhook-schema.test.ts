import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { anythingFlow } from './support/documents.ts'
import { multipartOf } from './support/form-body.ts'
import { serviceOfFile } from './support/service.ts'
import { threadMs } from './support/thread-ms.ts'

const shared = serviceOfFile()

const ORDER = {
  type: 'object',
  required: ['order_id', 'items'],
  additionalProperties: false,
  properties: {
    order_id: { type: 'integer', minimum: 1 },
    items: { type: 'array', items: { type: 'object', required: ['sku'] } },
    email: { type: 'string', format: 'email' }
  }
}

describe('a webhook with a schema', () => {
  it('takes what fits', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ schema: ORDER }))
    for (const body of [
      '{"order_id":7,"items":[]}',
      '{"order_id":12345678901234567890,"items":[{"sku":"a"}],"email":"ann@example.com"}'
    ]) {
      const answer = await service.webhook(slug, body)
      assert.equal(answer.status, 202, answer.text)
    }
  })

  it('refuses what does not, names each fault, and stores nothing', async (t) => {
    const service = await shared(t)
    const { slug, id } = await service.createFlow(
      anythingFlow({ schema: ORDER, deduplicate_by: '{order_id}' })
    )
    const body = '{"order_id":0,"items":[{"sku":"a"},{}],"email":"ann","note":1}'
    const { errors, detail } = problemOf(await service.webhook(slug, body), 422, 'payload_invalid')
    assert.deepEqual(errors!.map(({ path, code }) => [path, code]).sort(), [
      ['/email', 'invalid_shape'],
      ['/items/1/sku', 'missing_member'],
      ['/note', 'unknown_member'],
      ['/order_id', 'invalid_shape']
    ])
    for (const { message } of errors!) assert.match(message, /\.$/)
    assert.match(detail, /3 more faults/)
    const text = problemOf(await service.webhook(slug, Buffer.from('hello')), 422, 'payload_invalid')
    assert.match(text.errors![0]!.message, /payload.*lacks "order_id"/i)
    assert.deepEqual((await service.get(`/api/v1/runs?flow_id=${id}`)).json().runs, [])
    // What was refused is not known as a delivery.
    const mended = { headers: { 'idempotency-key': `k-${slug}` } }
    problemOf(await service.webhook(slug, body, mended), 422, 'payload_invalid')
    assert.equal((await service.webhook(slug, '{"order_id":1,"items":[]}', mended)).status, 202)
  })

  it('says nothing of it to whoever may not call it', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ schema: ORDER }))
    problemOf(await service.webhook(slug, '{}', { key: null }), 401, 'unauthorized')
  })

  it('holds queries and forms against it, and files as the objects they are', async (t) => {
    const service = await shared(t)
    const schema = {
      required: ['customer'],
      properties: {
        customer: { type: 'string', minLength: 1 },
        photo: { type: 'object', properties: { content_type: { pattern: '^image/' }, size: { maximum: 10 } } }
      }
    }
    const { slug } = await service.createFlow(anythingFlow({ schema, methods: ['GET', 'POST'] }))
    const get = (query: string) => service.request('GET', `/v1/webhook/${slug}${query}`)
    assert.equal((await get('?customer=Ann')).status, 202)
    problemOf(await get('?customer='), 422, 'payload_invalid')
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    assert.equal((await service.webhook(slug, Buffer.from('customer=Ann'), form)).status, 202)
    problemOf(await service.webhook(slug, Buffer.from('name=Ann'), form), 422, 'payload_invalid')
    for (const [bytes, type, path] of [
      ['small', 'image/png', undefined],
      ['small', 'text/html', '/photo/content_type'],
      ['larger than it may be', 'image/png', '/photo/size']
    ] as const) {
      const { body, type: contentType } = await multipartOf([
        ['customer', 'Ann'],
        ['photo', new File([bytes], 'a', { type })]
      ])
      const answer = await service.webhook(slug, body, { headers: { 'content-type': contentType } })
      if (path === undefined) assert.equal(answer.status, 202, answer.text)
      else assert.equal(problemOf(answer, 422, 'payload_invalid').errors![0]!.path, path)
    }
  })

  it('judges in turns what is long, whatever the schema asks for', async (t) => {
    const service = await shared(t)
    const schema = {
      type: 'array',
      uniqueItems: true,
      items: { anyOf: [{ pattern: '(a+)+$' }, { type: 'null' }] }
    }
    const { slug } = await service.createFlow(anythingFlow({ schema, auth: 'None' }))
    const long = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => `${'a'.repeat(10)}${at}!`))
    let isOver = false
    const judged = service.webhook(slug, long, { key: null }).finally(() => {
      isOver = true
    })
    let slowest = 0
    while (!isOver) {
      const since = threadMs()
      await service.get('/livez')
      slowest = Math.max(slowest, threadMs() - since)
    }
    problemOf(await judged, 422, 'payload_invalid')
    assert.ok(slowest < 1_000, `another request waited ${slowest} ms`)
  })

  for (const [what, schema, message] of [
    ['a list', [], /takes a JSON Schema/],
    ['an unknown type', { type: 'text' }, /has the type "text"/],
    ['a pattern that nobody can look for', { pattern: '(?<=a)b' }, /pattern/]
  ] as const)
    it(`cannot be ${what}`, async (t) => {
      const service = await shared(t)
      const answer = await service.post('/api/v1/flows', anythingFlow({ schema }))
      const { errors } = problemOf(answer, 422, 'flow_invalid')
      assert.match(errors![0]!.message, message)
      assert.equal(errors![0]!.path, '/nodes/0/fields/schema')
    })
})
