import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { Chunks, problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { anythingFlow, callFlow, chatFlow, ORDER, ordersFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { readAnswer, requestHead, sendRaw } from './support/raw-http.ts'
import { serviceOfFile, shiftedClock, startService } from './support/service.ts'

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

  it('every other method with 405 and Allow: POST, key or not, whatever the body is', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(ordersFlow())
    for (const base of ['/api/v1/webhook/', '/v1/webhook/']) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        for (const flow of [slug, 'absent']) {
          for (const key of [service.key, null]) {
            const answer = await service.request(method, base + flow, { key })
            problemOf(answer, 405, 'method_not_allowed')
            assert.equal(answer.headers.get('allow'), 'POST')
          }
        }
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

  it('methods that hardly anybody knows with 405 and Allow: POST', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(ordersFlow())
    for (const method of ['PROPFIND', 'TRACE', 'MKCOL', 'QUERY', 'PURGE']) {
      const answer = await sendRaw(service.address, requestHead(`${method} /api/v1/webhook/${slug}?a=b`))
      assert.equal(answer.status, 405, `${method}: ${answer.text}`)
      assert.equal(answer.headers.get('allow'), 'POST', method)
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

describe("the Webhook's auth", () => {
  it('None asks for nothing', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ auth: 'None' }))
    for (const key of [null, 'wrong', service.key]) {
      assert.equal((await service.webhook(slug, '{}', { key })).status, 202)
    }
  })

  it('Signature takes what is signed with the secret, and nothing else', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const secret = Buffer.from('a secret of some length').toString('base64')
    const fields = { auth: 'Signature', signing_secret: `whsec_${secret}` }
    const { slug } = await service.createFlow(anythingFlow(fields))
    const body = '{"n":12345678901234567890}'
    const timestamp = String(Math.floor(clock.now() / 1000))
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`msg_1.${timestamp}.${body}`)
      .digest('base64')
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,AAAA v1,${signature}`
    }
    const run = await service.run(slug, body, { key: null, headers })
    assert.equal(run.status, 'succeeded')
    const absent = await service.webhook('absent', body, { key: null })
    const refused = [
      await service.webhook(slug, body, { key: null }),
      await service.webhook(slug, `${body} `, { key: null, headers }),
      await service.webhook(slug, body, { key: null, headers: { ...headers, 'webhook-id': 'msg_2' } })
    ]
    advance(301_000)
    refused.push(await service.webhook(slug, body, { key: null, headers }))
    for (const answer of refused) {
      problemOf(answer, 401, 'unauthorized')
      assert.equal(answer.text, absent.text)
    }
  })

  it('Signature tells who holds a key that sees the flow what is wrong, and nobody else', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const { slug } = await service.createFlow(
      anythingFlow({ auth: 'Signature', signature_scheme: 'Slack', signing_secret: 'shared-by-both-of-us' })
    )
    const other = await service.createFlow(anythingFlow({}))
    const blind = await service.createKey({ rights: ['read', 'trigger'], flow: other.slug })
    const timestamp = String(Math.floor(clock.now() / 1000))
    const digest = createHmac('sha256', 'shared-by-both-of-us').update(`v0:${timestamp}:{}`).digest('hex')
    const headers = { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` }
    const wrong = { ...headers, 'x-slack-signature': 'v0=00' }
    const detailOf = async (sent: Record<string, string>) =>
      problemOf(await service.webhook(slug, '{}', { headers: sent }), 401, 'signature_invalid').detail
    assert.match(await detailOf({}), /sends no signature.*Slack.*x-slack-signature/)
    assert.match(await detailOf(wrong), /was not made with the secret/)
    assert.equal((await service.webhook(slug, '{}', { headers })).status, 202)
    const authorization = `Bearer ${service.key}`
    const byBearer = await service.webhook(slug, '{}', { key: null, headers: { ...wrong, authorization } })
    problemOf(byBearer, 401, 'signature_invalid')
    for (const sent of [{}, wrong]) {
      problemOf(await service.webhook(slug, '{}', { key: null, headers: sent }), 401, 'unauthorized')
      problemOf(await service.webhook(slug, '{}', { key: 'wrong', headers: sent }), 401, 'unauthorized')
      problemOf(await service.webhook(slug, '{}', { key: blind.key, headers: sent }), 404, 'flow_not_found')
    }
    advance(301_000)
    // The clock goes on meanwhile, and may be in the next second.
    assert.match(await detailOf(headers), /30[1-9] s from the time here/)
  })

  it('Signature knows the ways of GitHub, Stripe and Slack', async (t) => {
    const service = await shared(t)
    const body = '{"a":1}'
    const now = String(Math.floor(Date.now() / 1000))
    const hex = (text: string) => createHmac('sha256', 'shared-by-both-of-us').update(text).digest('hex')
    const signed: [scheme: string, headers: Record<string, string>][] = [
      ['GitHub', { 'x-hub-signature-256': `sha256=${hex(body)}` }],
      ['Stripe', { 'stripe-signature': `t=${now},v1=${hex(`${now}.${body}`)},v0=ignored` }],
      ['Slack', { 'x-slack-request-timestamp': now, 'x-slack-signature': `v0=${hex(`v0:${now}:${body}`)}` }]
    ]
    for (const [signature_scheme, headers] of signed) {
      const fields = { auth: 'Signature', signature_scheme, signing_secret: 'shared-by-both-of-us' }
      const { slug } = await service.createFlow(anythingFlow(fields))
      const good = await service.webhook(slug, body, { key: null, headers })
      assert.equal(good.status, 202, `${signature_scheme}: ${good.text}`)
      problemOf(await service.webhook(slug, '{"a":2}', { key: null, headers }), 401, 'unauthorized')
    }
  })

  it('Signature tells who sends no good one nothing of the flow, not even by the size of the body', async (t) => {
    const service = await startService(t, { env: { MILLRACE_BODY_LIMIT: '1kb' } })
    const large = 'x'.repeat(2_000)
    const absent = await service.webhook('absent', large, { key: null })
    const schemes = {
      'Standard Webhooks': 'webhook-signature',
      GitHub: 'x-hub-signature-256',
      Stripe: 'stripe-signature',
      Slack: 'x-slack-signature'
    }
    for (const [signature_scheme, header] of Object.entries(schemes)) {
      const fields = { auth: 'Signature', signature_scheme, signing_secret: 'c2hhcmVkLWJ5LWJvdGg=' }
      const { slug } = await service.createFlow(anythingFlow(fields))
      const unsigned = await service.webhook(slug, large, { key: null })
      problemOf(unsigned, 401, 'unauthorized')
      assert.equal(unsigned.text, absent.text)
      const signed = await service.webhook(slug, large, { key: null, headers: { [header]: 'v1' } })
      problemOf(signed, 401, 'unauthorized')
      assert.equal(signed.text, absent.text)
      assert.equal(signed.headers.get('connection'), absent.headers.get('connection'))
      const withKey = await service.webhook(slug, large, { headers: { [header]: 'v1' } })
      problemOf(withKey, 413, 'body_too_large')
    }
  })

  it('Signature without a secret cannot be saved; where a context asks for it, it takes nothing', async (t) => {
    const service = await shared(t)
    const unsaved = await service.post('/api/v1/flows', anythingFlow({ auth: 'Signature' }))
    const [fault] = problemOf(unsaved, 422, 'flow_invalid').errors!
    assert.deepEqual([fault!.code, fault!.field], ['weak_secret', 'signing_secret'])
    await makeContext(service, '/signed', { default_auth: 'Signature' })
    const { slug } = await service.createFlow({
      ...anythingFlow({ signature_scheme: 'GitHub' }),
      context: '/signed'
    })
    const headers = { 'x-hub-signature-256': `sha256=${createHmac('sha256', '').update('{}').digest('hex')}` }
    problemOf(await service.webhook(slug, '{}', { key: null, headers }), 401, 'unauthorized')
  })
})
