import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { twilioSignature } from '../src/http/webhook/signatures/twilio.ts'
import { type Answer, type ApiClient, problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { anythingFlow } from './support/documents.ts'
import { createHost } from './support/host.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile({ env: { MILLRACE_PUBLIC_URL: 'https://mill.example' } })
const SECRET = 'shared-by-both-of-us'
const FORM = 'application/x-www-form-urlencoded'

type Sent = Readonly<Record<string, string>>

let made = 0

/** A flow whose sender has this secret, in a connection of its own. */
async function flowOf(service: ApiClient, fields: object, secret = SECRET): Promise<string> {
  const connection = `sender ${++made}`
  const body = { name: connection, kind: 'webhook', secrets: { signing_secret: secret } }
  const connected = await service.post('/api/v1/connections', body)
  assert.equal(connected.status, 201, connected.text)
  return (await service.createFlow(anythingFlow({ connection, ...fields }))).slug
}

const send = (service: ApiClient, flow: string, headers: Sent, body = '{}') =>
  service.webhook(flow, body, { key: null, headers })

const hmac = (text: string, secret = SECRET) => createHmac('sha256', secret).update(text)
const seconds = () => String(Math.floor(Date.now() / 1000))
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
})

async function refusedAsAbsent(service: ApiClient, flow: string, headers: Sent, body = '{}'): Promise<void> {
  const [answer, absent] = [
    await send(service, flow, headers, body),
    await send(service, 'absent', headers, body)
  ]
  problemOf(answer, 401, 'unauthorized')
  assert.equal(answer.text, absent.text)
  assert.deepEqual([...answer.headers.keys()], [...absent.headers.keys()])
}

async function runsOf(service: ApiClient, flow: string): Promise<number> {
  const { runs } = (await service.get(`/api/v1/runs?flow_id=${flow}`)).json<{ runs: unknown[] }>()
  return runs.length
}

function assertAnswered(answer: Answer, text: string): void {
  assert.deepEqual([answer.status, answer.text], [200, text])
  assert.match(answer.headers.get('content-type')!, /^text\/plain/)
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
}

describe('a sender with a token', () => {
  it('is let in by the header that it writes it to: Telegram, GitLab, and any by Authorization', async (t) => {
    const service = await shared(t)
    const senders: [token_header: string | undefined, header: string, value: string][] = [
      ['X-Telegram-Bot-Api-Secret-Token', 'x-telegram-bot-api-secret-token', SECRET],
      ['x-gitlab-token', 'x-gitlab-token', SECRET],
      [undefined, 'authorization', SECRET],
      [undefined, 'authorization', `Bearer ${SECRET}`],
      [undefined, 'authorization', `bearer  ${SECRET}`]
    ]
    for (const [token_header, header, value] of senders) {
      const fields = { auth: 'Token', ...(token_header === undefined ? {} : { token_header }) }
      const flow = await flowOf(service, fields)
      const run = await service.run(flow, '{"update_id":1}', { key: null, headers: { [header]: value } })
      assert.equal(run.status, 'succeeded')
      assert.ok(!JSON.stringify(run.request).includes(SECRET), 'the token is not stored')
      for (const wrong of [`${value}x`, value.slice(0, -1), '', 'Bearer ', 'undefined'])
        await refusedAsAbsent(service, flow, { [header]: wrong })
      await refusedAsAbsent(service, flow, {})
    }
  })

  it('has a header of any name, which is not stored', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, { auth: 'Token', token_header: 'x-shop-pass' })
    const run = await service.run(flow, '{}', {
      key: null,
      headers: { 'x-shop-pass': SECRET, 'x-shop': '7' }
    })
    const { headers } = run.request as { headers: Sent }
    assert.deepEqual([headers['x-shop-pass'], headers['x-shop']], [undefined, '7'])
  })

  it('is told what is wrong where it shows a key too that sees the flow', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, { auth: 'Token', token_header: 'x-gitlab-token' })
    const { detail } = problemOf(await service.webhook(flow, '{}'), 401, 'secret_invalid')
    assert.match(detail, /in the header x-gitlab-token/)
  })

  it('is let in by the old secret and by the new one while one replaces the other', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, { auth: 'Token' }, 'the-older-0123456789, the-newer-0123456789')
    for (const token of ['the-older-0123456789', 'the-newer-0123456789'])
      assert.equal((await send(service, flow, { authorization: token })).status, 202)
    await refusedAsAbsent(service, flow, { authorization: 'older' })
  })
})

describe('a sender with a name and a password', () => {
  it('is let in by both, and by neither alone', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, { auth: 'Basic', basic_user: 'mailgun' })
    assert.equal((await send(service, flow, basic('mailgun', SECRET))).status, 202)
    for (const wrong of [
      basic('mailgun', `${SECRET}x`),
      basic('Mailgun', SECRET),
      basic('', SECRET),
      { authorization: `Bearer ${SECRET}` },
      { authorization: 'Basic ****' },
      { authorization: 'Basic' }
    ])
      await refusedAsAbsent(service, flow, wrong)
    const asked = await send(service, flow, {})
    assert.match(asked.headers.get('www-authenticate')!, /Basic realm="Millrace"/)
    const fromPage = await send(service, flow, { 'sec-fetch-mode': 'cors' })
    assert.equal(fromPage.headers.get('www-authenticate'), null, 'a browser would ask whoever sits before it')
  })
})

describe('whoever has no good secret', () => {
  it('may guess as often as with keys, and learns nothing by it', async (t) => {
    const service = await startService(t)
    const flow = await flowOf(service, { auth: 'Token', token_header: 'x-gitlab-token' })
    for (let n = 0; n < 20; n++) await refusedAsAbsent(service, flow, { 'x-gitlab-token': `guess-${n}` })
    await refusedAsAbsent(service, flow, { 'x-gitlab-token': SECRET })
    problemOf(await service.get('/api/v1/flows', { key: 'wrong' }), 401, 'unauthorized')
    const bearer = await flowOf(service, { auth: 'Token' })
    // One was wrong before, and each of these counts once.
    for (let n = 0; n < 19; n++) {
      const headers = { authorization: `Bearer guess-${n}` }
      problemOf(await send(service, bearer, headers), 401, 'unauthorized')
    }
    for (const text of ['guess-0', 'guess-99', SECRET]) {
      const headers = { authorization: `Bearer ${text}` }
      const [told, absent] = [await send(service, bearer, headers), await send(service, 'absent', headers)]
      problemOf(told, 429, 'keys_limited')
      const [withFlow, withoutFlow] = [told, absent].map(({ text }) =>
        text.replace(/in \d+ s\./, 'in a while.')
      )
      assert.equal(withFlow, withoutFlow)
    }
  })

  it('is let in nowhere: without a connection, with one that is gone, with none at all', async (t) => {
    const service = await shared(t)
    await makeContext(service, '/by-token', { default_auth: 'Token' })
    await makeContext(service, '/by-name', { default_auth: 'Basic' })
    for (const context of ['/by-token', '/by-name']) {
      const { slug } = await service.createFlow({ ...anythingFlow({ basic_user: 'u' }), context })
      for (const headers of [
        { authorization: 'Bearer ' },
        { authorization: 'undefined' },
        basic('u', ''),
        {}
      ])
        await refusedAsAbsent(service, slug, headers)
    }
    for (const auth of ['Token', 'Basic', 'Signature']) {
      const gone = await service.createFlow(
        anythingFlow({ auth, basic_user: 'u', connection: 'nobody', signature_scheme: 'Shopify' })
      )
      for (const headers of [basic('u', ''), basic('u', 'undefined'), { 'x-shopify-hmac-sha256': '' }])
        await refusedAsAbsent(service, gone.slug, headers)
      const unsaved = await service.post('/api/v1/flows', anythingFlow({ auth, basic_user: 'u' }))
      const [fault] = problemOf(unsaved, 422, 'flow_invalid').errors!
      assert.deepEqual([fault!.code, fault!.field], ['weak_secret', 'signing_secret'], auth)
    }
  })
})

describe('a sender that signs', () => {
  const SLACK = { auth: 'Signature', signature_scheme: 'Slack', handshake: 'Slack' }
  const bySlack = (body: string, type: string) => {
    const time = seconds()
    return {
      'content-type': type,
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${hmac(`v0:${time}:${body}`).digest('hex')}`
    }
  }

  it('is Slack: its question starts nothing, its slash command does', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, SLACK)
    const question = '{"token":"x","challenge":"3eZbrw1aB1","type":"url_verification"}'
    assertAnswered(await send(service, flow, bySlack(question, 'application/json'), question), '3eZbrw1aB1')
    await refusedAsAbsent(service, flow, {}, question)
    const forged = { ...bySlack(question, 'application/json'), 'x-slack-signature': 'v0=00' }
    await refusedAsAbsent(service, flow, forged, question)
    assert.equal(await runsOf(service, flow), 0)
    const command = 'command=%2Fweather&text=94070&user_name=Steve'
    const answer = await send(service, flow, bySlack(command, FORM), command)
    assert.equal(answer.status, 202, answer.text)
    assert.equal(await runsOf(service, flow), 1)
  })

  it('is Slack by a key too: the question starts nothing on either way of a webhook', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, { handshake: 'Slack' })
    const question = '{"challenge":"<script>","type":"url_verification"}'
    assertAnswered(await service.webhook(flow, question), '<script>')
    assert.equal((await service.webhook(flow, '{"type":"event_callback"}')).status, 202)
  })

  it('is Meta: its question has the verify token, its events the signature of the app', async (t) => {
    const service = await shared(t)
    const fields = { auth: 'Signature', signature_scheme: 'GitHub', handshake: 'Meta' }
    const flow = await flowOf(service, fields, 'app-secret-0123456789 verify-token-0123456789')
    const ask = (token: string, slug = flow) =>
      service.get(
        `/api/v1/webhook/${slug}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`,
        { key: null }
      )
    assertAnswered(await ask('verify-token-0123456789'), '1158201444')
    for (const wrong of ['verify-token', ''])
      assert.equal(
        problemOf(await ask(wrong), 401, 'unauthorized').detail,
        problemOf(await ask(wrong, 'absent'), 401, 'unauthorized').detail
      )
    assert.equal(await runsOf(service, flow), 0)
    const body = '{"object":"whatsapp_business_account"}'
    const signed = (secret: string) => ({
      'x-hub-signature-256': `sha256=${hmac(body, secret).digest('hex')}`
    })
    assert.equal((await send(service, flow, signed('app-secret-0123456789'), body)).status, 202)
    await refusedAsAbsent(service, flow, signed('another-secret-0123456789'), body)
  })

  it('is Microsoft Graph: what it asks goes back as text', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow({ auth: 'None', handshake: 'Microsoft Graph' }))
    const address = `/api/v1/webhook/${slug}`
    const ask = (token: string) =>
      service.post(`${address}?validationToken=${encodeURIComponent(token)}`, '', { key: null })
    assertAnswered(
      await ask('Validation: <b>Testing</b> client + %'),
      'Validation: <b>Testing</b> client + %'
    )
    assert.equal((await ask('x'.repeat(5_000))).status, 202)
    assert.equal((await service.webhook(slug, '{"value":[]}', { key: null })).status, 202)
  })

  it('is Stripe, Shopify, Calendly, or any other by HMAC', async (t) => {
    const service = await shared(t)
    const body = '{"id":"evt_1","n":12345678901234567890}'
    const now = seconds()
    const timed = `t=${now},v1=${hmac(`${now}.${body}`).digest('hex')}`
    const signed: [fields: object, headers: Sent][] = [
      [{ signature_scheme: 'Stripe' }, { 'stripe-signature': timed }],
      [{ signature_scheme: 'Calendly' }, { 'calendly-webhook-signature': timed }],
      [{ signature_scheme: 'Shopify' }, { 'x-shopify-hmac-sha256': hmac(body).digest('base64') }],
      [
        {
          signature_scheme: 'HMAC',
          signature_header: 'X-Langflow-Signature',
          signature_prefix: 'v1=',
          signed_text: 'v1:{header:x-langflow-timestamp}:{body}',
          timestamp_header: 'X-Langflow-Timestamp'
        },
        {
          'x-langflow-timestamp': now,
          'x-langflow-signature': `v1=${hmac(`v1:${now}:${body}`).digest('hex')}`
        }
      ],
      [
        {
          signature_scheme: 'HMAC',
          signature_header: 'x-sign',
          signature_algorithm: 'sha512',
          signature_encoding: 'base64',
          signed_text: '{method} {url}\n{body}'
        },
        {}
      ]
    ]
    for (const [fields, given] of signed) {
      const flow = await flowOf(service, { auth: 'Signature', ...fields })
      const text = `POST https://mill.example/api/v1/webhook/${flow}\n${body}`
      const headers =
        Object.keys(given).length > 0
          ? given
          : { 'x-sign': createHmac('sha512', SECRET).update(text).digest('base64') }
      const run = await service.run(flow, body, { key: null, headers })
      assert.equal(run.status, 'succeeded', JSON.stringify(fields))
      for (const name of Object.keys(headers).filter((one) => one.includes('sign')))
        assert.ok(!JSON.stringify(run.request).includes(headers[name]!), name)
      await refusedAsAbsent(service, flow, headers, body.replace('evt_1', 'evt_2'))
    }
  })

  it('is Twilio, of the address that it calls', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, { auth: 'Signature', signature_scheme: 'Twilio' })
    const body = 'CallSid=CA1&Digits=1234&From=%2B1234'
    const path = `/api/v1/webhook/${flow}?store=7`
    const call = async (address: string) => {
      const headers = { 'content-type': FORM }
      const request = { method: 'POST', url: address + path, headers, body: Buffer.from(body) }
      const signature = twilioSignature(request, SECRET)!.toString('base64')
      return service.request('POST', path, {
        body: Buffer.from(body),
        key: null,
        headers: { ...headers, 'x-twilio-signature': signature }
      })
    }
    assert.equal((await call('https://mill.example')).status, 202)
    problemOf(await call('https://other.example'), 401, 'unauthorized')
  })
})

describe('a request that is sent as the sender would', () => {
  const sendAs = async (service: ApiClient, flow: string, body: string, content_type?: string) => {
    const { id } = (await service.get(`/api/v1/flows/${flow}`)).json<{ id: string }>()
    const answer = await service.post(`/api/v1/flows/${id}/send`, { body, content_type })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(!answer.text.includes(SECRET))
    return answer.json<{ status: number; body: string; run_id?: string }>()
  }

  it('passes whatever guards the webhook, by a secret that nobody is shown', async (t) => {
    const service = await shared(t)
    const rule = {
      auth: 'Signature',
      signature_scheme: 'HMAC',
      signature_header: 'x-sign',
      signed_text: '{header:x-date}|{header:x-time}|{method}|{url}|{body}',
      timestamp_header: 'x-time'
    }
    const guards = [
      { auth: 'Token' },
      { auth: 'Token', token_header: 'x-gitlab-token' },
      { auth: 'Basic', basic_user: 'zoë' },
      ...['Standard Webhooks', 'GitHub', 'Stripe', 'Slack', 'Shopify', 'Calendly'].map(
        (signature_scheme) => ({
          auth: 'Signature',
          signature_scheme
        })
      ),
      rule,
      { auth: 'API key' },
      { auth: 'None' }
    ]
    for (const fields of guards) {
      const flow = await flowOf(service, fields)
      const { status, body } = await sendAs(service, flow, '{"name":"Zoë"}')
      assert.equal(status, 202, `${JSON.stringify(fields)}: ${body}`)
      const run = (await service.get(`/api/v1/runs/${JSON.parse(body).run_id}`)).json<{ input: unknown }>()
      assert.deepEqual(run.input, { name: 'Zoë' })
    }
    const twilio = await flowOf(service, { auth: 'Signature', signature_scheme: 'Twilio' })
    assert.equal((await sendAs(service, twilio, 'a=1&b=2', FORM)).status, 202)
    assert.equal((await sendAs(service, twilio, '{"a":1}')).status, 202, 'its address says what the body is')
  })

  it('comes by a method that the webhook takes, and tells which run it started whatever the flow answers', async (t) => {
    const service = await shared(t)
    const answers = { respond: 'When the flow answers' }
    for (const [methods, input] of [
      [['GET'], { a: '1', b: ['x', 'y'] }],
      [['PATCH', 'PUT'], { a: 1, b: ['x', 'y'], c: {} }]
    ] as const) {
      const flow = await flowOf(service, { auth: 'Token', methods, ...answers })
      const { status, run_id } = await sendAs(service, flow, '{"a":1,"b":["x","y"],"c":{}}')
      assert.equal(status, 204)
      assert.deepEqual((await service.waitForRun(run_id!)).input, input)
    }
  })

  it('uses the newer one of two secrets, and is told why it is refused', async (t) => {
    const service = await shared(t)
    const two = await flowOf(service, { auth: 'Token' }, `${SECRET}-old ${SECRET}`)
    assert.equal((await sendAs(service, two, '{}')).status, 202)
    const mute = await flowOf(service, { auth: 'Signature', signature_scheme: 'SendGrid' })
    const { status, body } = await sendAs(service, mute, '{}')
    assert.equal(status, 401)
    assert.match(body, /signature_invalid/)
  })

  it('finds the webhook inside an application too, below its prefix', async (t) => {
    const host = await createHost(t, { publicUrl: 'https://shop.example' })
    const client = await host.listen()
    const flow = await flowOf(client, { auth: 'Signature', signature_scheme: 'Twilio' })
    assert.equal((await sendAs(client, flow, 'a=1', FORM)).status, 202)
  })

  it('is for keys that may start the flow', async (t) => {
    const service = await shared(t)
    const flow = await flowOf(service, { auth: 'Token' })
    const { key } = await service.createKey({ rights: ['read', 'write'] })
    problemOf(await service.post(`/api/v1/flows/${flow}/send`, { body: '{}' }, { key }), 403, 'forbidden')
    problemOf(await service.post('/api/v1/flows/absent/send', { body: '{}' }), 404, 'flow_not_found')
  })
})
