import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { answerFlow } from './support/answering-flows.ts'
import { Chunks, problemOf } from './support/api-client.ts'
import { anythingFlow, callFlow, chatFlow, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { readAnswer, requestHead, sendRaw } from './support/raw-http.ts'
import { serviceOfFile, shiftedClock, startService } from './support/service.ts'

const shared = serviceOfFile()

describe('the webhook refuses', () => {
  it('with a status that leaves no trace: the same Idempotency-Key starts a run later', async (t) => {
    const { clock, advance } = shiftedClock()
    const outside = await startOutside(t)
    const service = await startService(t, {
      clock,
      plugins: ['call.ts'],
      env: { MILLRACE_BACKLOG_LIMIT: '1' }
    })
    const calls = await service.createFlow(callFlow(outside.url()))
    const limited = await service.createFlow(anythingFlow({ rate_limit: 1 }))
    const held = await service.start(calls.slug)
    const call = await outside.next()
    const headers = { 'idempotency-key': 'a' }
    problemOf(await service.webhook(calls.slug, '{}', { headers }), 503, 'backlog_full')
    call.answer()
    await service.waitForRun(held)
    const first = await service.start(calls.slug, '{}', { headers })
    ;(await outside.next()).answer()
    await service.waitForRun(first)

    await service.waitForRun(await service.start(limited.slug))
    problemOf(await service.webhook(limited.slug, '{}', { headers }), 429, 'rate_limited')
    advance(61_000)
    await service.start(limited.slug, '{}', { headers })
  })

  it('no key, a wrong key and an expired key, alike for an absent flow and a guarded one', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const { slug, id } = await service.createFlow(ordersFlow())
    const expires_at = new Date(clock.now() + 60_000).toISOString()
    const { key } = await service.createKey({ rights: ['trigger'], expires_at })
    assert.equal((await service.webhook(slug, '{}', { key })).status, 202)
    advance(60_001)
    const answers = await Promise.all(
      [slug, id, 'absent', 'orders2', '%20', 'a.b'].flatMap((flow) =>
        [null, '', 'wrong', key, `${service.key} `.repeat(2)].map((sent) =>
          service.webhook(flow, '{}', { key: sent })
        )
      )
    )
    for (const answer of answers) problemOf(answer, 401, 'unauthorized')
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1, 'they can be told apart by their bodies')
    const headers = answers.map((answer) =>
      [...answer.headers].filter(([name]) => name !== 'date').join('\n')
    )
    assert.equal(new Set(headers).size, 1, 'they can be told apart by their headers')
  })

  it('a good key for an absent flow and for one that it does not see with the same 404', async (t) => {
    const service = await shared(t)
    const mine = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const bound = await service.createKey({ rights: ['trigger'], flow: mine.slug })
    const elsewhere = await service.createKey({ rights: ['trigger'], context: '/sales' })
    assert.equal((await service.webhook(mine.slug, '{}', { key: bound.key })).status, 202)
    const answers = [
      await service.webhook('absent', '{}'),
      await service.webhook('absent', '{}', { key: bound.key }),
      await service.webhook(other.slug, '{}', { key: bound.key }),
      await service.webhook(other.id, '{}', { key: bound.key }),
      await service.webhook(mine.slug, '{}', { key: elsewhere.key })
    ]
    for (const answer of answers) problemOf(answer, 404, 'flow_not_found')
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  })

  it('a key without the right to trigger with 403, and without telling it of flows that it does not see', async (t) => {
    const service = await shared(t)
    const mine = await service.createFlow(ordersFlow({ name: 'Mine' }))
    const other = await service.createFlow(ordersFlow({ name: 'Other' }))
    const { key } = await service.createKey({ rights: ['read', 'write', 'admin'], flow: mine.id })
    const { detail } = problemOf(await service.webhook(mine.slug, '{}', { key }), 403, 'forbidden')
    assert.match(detail, /trigger/)
    problemOf(await service.webhook(other.slug, '{}', { key }), 404, 'flow_not_found')
  })

  it('a flow without a Webhook with 409, and only to those who may know of it', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(chatFlow())
    problemOf(await service.webhook(slug), 409, 'flow_without_webhook')
    problemOf(await service.webhook(slug, '{}', { key: null }), 401, 'unauthorized')
  })

  it('every other method with 405 and Allow: POST, whatever the body is', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(ordersFlow())
    for (const base of ['/api/v1/webhook/', '/v1/webhook/']) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await service.request(method, base + slug)
        problemOf(answer, 405, 'method_not_allowed')
        assert.equal(answer.headers.get('allow'), 'POST')
      }
      const head = await service.request('HEAD', base + slug)
      assert.equal(head.status, 405)
      assert.equal(head.headers.get('allow'), 'POST')
    }
    for (const [type, body] of [
      ['text/csv', 'a,b'],
      ['application/json', '{"not json'],
      [';;;', 'x']
    ] as const) {
      const options = { body: Buffer.from(body), headers: { 'content-type': type } }
      const answer = await service.request('PUT', `/api/v1/webhook/${slug}`, options)
      problemOf(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.get('allow'), 'POST')
    }
  })

  it('every other method of a flow that asks for no key with 405 too, whoever sends it', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(answerFlow())
    for (const method of ['PUT', 'OPTIONS', 'HEAD']) {
      const answer = await service.request(method, `/api/v1/webhook/${slug}`, { key: null })
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method)
    }
  })

  it('any method alike for a flow that is guarded and one that is absent, to whoever has no key', async (t) => {
    const service = await shared(t)
    const guarded = await service.createFlow(ordersFlow())
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'POST']) {
      for (const key of [null, 'a key that is wrong']) {
        const answers = []
        for (const flow of [guarded.slug, 'absent'])
          answers.push(await service.request(method, `/api/v1/webhook/${flow}`, { key }))
        const [told, absent] = answers.map(({ status, text, headers }) => [status, text, [...headers.keys()]])
        assert.equal(told![0], 401, method)
        assert.deepEqual(told, absent, method)
      }
      const { status } = await service.request(method, '/api/v1/webhook/absent')
      assert.equal(status, 404, method)
    }
  })

  it('methods that hardly anybody knows with 405, whatever the flow takes', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(ordersFlow())
    for (const method of ['PROPFIND', 'TRACE', 'MKCOL', 'QUERY', 'PURGE']) {
      const answer = await sendRaw(service.address, requestHead(`${method} /api/v1/webhook/${slug}?a=b`))
      assert.equal(answer.status, 405, `${method}: ${answer.text}`)
      assert.equal(answer.headers.get('allow'), 'DELETE, GET, PATCH, POST, PUT', method)
      assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/)
      assert.equal(JSON.parse(answer.body).code, 'method_not_allowed')
    }
  })

  it('a body over the limit with 413, and keeps nothing of it', async (t) => {
    const service = await startService(t, { env: { MILLRACE_BODY_LIMIT: '1kb' } })
    const { slug, id } = await service.createFlow(anythingFlow())
    const fitting = Buffer.alloc(1024, 'x')
    assert.equal((await service.webhook(slug, fitting)).status, 202)
    problemOf(await service.webhook(slug, Buffer.alloc(1025, 'x')), 413, 'body_too_large')
    const chunks = new Chunks(Buffer.alloc(600, 'x'), Buffer.alloc(600, 'y'))
    problemOf(await service.webhook(slug, chunks), 413, 'body_too_large')
    const { runs } = (await service.get(`/api/v1/runs?flow_id=${id}`)).json<{ runs: unknown[] }>()
    assert.equal(runs.length, 1)
  })

  it('a body over one megabyte where nothing else is set', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const limit = 1024 * 1024
    assert.equal((await service.run(slug, Buffer.alloc(limit, 'x'))).status, 'succeeded')
    const head = requestHead(`POST /api/v1/webhook/${slug}`, {
      'x-api-key': service.key,
      'content-length': String(limit + 1)
    })
    const answer = await sendRaw(service.address, head)
    assert.equal(answer.status, 413, answer.text)
  })

  it('what is over the rate limit of the flow with 429, Retry-After and RateLimit', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const { slug } = await service.createFlow(anythingFlow({ rate_limit: 2 }))
    const other = await service.createFlow(anythingFlow({ rate_limit: 2 }))
    const first = await service.webhook(slug)
    assert.equal(first.status, 202)
    assert.match(first.headers.get('ratelimit')!, /\br=1\b/)
    assert.equal((await service.webhook(slug)).status, 202)
    const refused = await service.webhook(slug)
    problemOf(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 30, `Retry-After: ${seconds}`)
    assert.match(refused.headers.get('ratelimit')!, /\br=0\b.*\bt=\d+/)
    assert.match(refused.headers.get('ratelimit-policy')!, /\bq=2\b.*\bw=60\b/)
    assert.equal((await service.webhook(other.slug)).status, 202, 'another flow has its own limit')
    advance(seconds * 1000)
    assert.equal((await service.webhook(slug)).status, 202, 'after Retry-After it is taken')
    assert.equal((await service.webhook(slug)).status, 429)
  })

  it('all while the backlog is full with 503 and Retry-After, and goes on when it has drained', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'], env: { MILLRACE_BACKLOG_LIMIT: '2' } })
    const outside = await startOutside(t)
    const { slug } = await service.createFlow(callFlow(outside.url()))
    const first = await service.start(slug)
    await service.start(slug)
    const refused = await service.webhook(slug)
    problemOf(refused, 503, 'backlog_full')
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    const calls = await Promise.all([outside.next(), outside.next()])
    outside.answerAll(() => ({}))
    for (const call of calls) call.answer()
    assert.equal((await service.waitForRun(first)).status, 'succeeded')
    assert.equal((await service.run(slug)).status, 'succeeded')
  })

  it('with 503 and Retry-After what is read to its end while the service stops', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(anythingFlow())
    const { hostname, port } = new URL(service.address)
    const socket = connect(Number(port), hostname)
    const keep = { connection: 'keep-alive', expect: '100-continue' }
    const headers = { 'x-api-key': service.key, 'content-length': '2', ...keep }
    socket.write(requestHead(`POST /api/v1/webhook/${slug}`, headers))
    const [interim] = await once(socket, 'data')
    assert.match(String(interim), /^HTTP\/1\.1 100 /)
    const stopped = service.stop()
    socket.write('{}')
    let text = ''
    for await (const chunk of socket) text += chunk
    await stopped
    const answer = readAnswer(text)
    assert.equal(answer.status, 503, text)
    assert.equal(JSON.parse(answer.body).code, 'stopping')
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    assert.equal(answer.headers.get('connection'), 'close', 'nothing more is to be sent here')
  })
})
