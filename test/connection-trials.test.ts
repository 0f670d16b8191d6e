import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { serve } from '../src/egress/http-server.test-kit.ts'
import { problemOf } from './support/api-client.ts'
import { AUTHORITY, SELF_SIGNED } from './support/certificates.ts'
import { makeContext } from './support/contexts.ts'
import { startMailServer } from './support/mail-server.ts'
import { startMisbehavingServer } from './support/misbehaving-server.ts'
import { type Service, startService } from './support/service.ts'

const CANARY = 'canary-0123456789'

interface Trial {
  readonly ok: boolean
  readonly message: string
  readonly took_ms: number
}

/** A server of HTTP, and the last request that it got. */
async function watchedServer(t: TestContext, answer: RequestListener) {
  const seen: { method?: string; url?: string; headers?: Record<string, unknown> } = {}
  const url = await serve(t, (request, response) => {
    const { method, url, headers } = request
    Object.assign(seen, { method, url, headers })
    answer(request, response)
  })
  return { url, seen }
}

let names = 0

async function make(service: Service, body: object, key = service.key): Promise<string> {
  const made = await service.request('POST', '/api/v1/connections', {
    key,
    body: { name: `c${++names}`, ...body }
  })
  assert.equal(made.status, 201, made.text)
  return made.json<{ id: string }>().id
}

async function tried(service: Service, body: object): Promise<Trial> {
  const id = await make(service, body)
  const answer = await service.request('POST', `/api/v1/connections/${id}/test`)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(!answer.text.includes(CANARY), answer.text)
  const trial = answer.json<Trial>()
  assert.ok(trial.took_ms >= 0)
  return trial
}

function assertOk({ ok, message }: Trial, words: RegExp): void {
  assert.match(message, words)
  assert.equal(ok, true, message)
}

function assertNotOk({ ok, message }: Trial, words: RegExp): void {
  assert.match(message, words)
  assert.equal(ok, false, message)
}

describe('a trial of a connection', () => {
  it('calls a service with its sign-in: all but 401 and 403 will do', async (t) => {
    const service = await startService(t)
    let status = 404
    const { url, seen } = await watchedServer(t, (_request, response) =>
      response.writeHead(status).end(CANARY)
    )
    const settings = { base_url: `${url}/v1`, auth: 'bearer' }
    const shop = { kind: 'http', settings, secrets: { token: CANARY } }
    assertOk(await tried(service, shop), /127\.0\.0\.1:\d+ answered 404\. It did not refuse the sign-in/)
    assert.partialDeepStrictEqual(seen, { url: '/v1', headers: { authorization: `Bearer ${CANARY}` } })
    status = 401
    assertNotOk(await tried(service, shop), /answered 401\..* check the kind of authentication/)
    const nobody = { ...shop, settings: { ...settings, base_url: 'http://127.0.0.1:1' } }
    assertNotOk(await tried(service, nobody), /127\.0\.0\.1, port 1 cannot be reached.* Check host and port/)
    const secure = await startMisbehavingServer({ certificate: SELF_SIGNED })
    t.after(() => secure.stop())
    const selfSigned = { ...shop, settings: { ...settings, base_url: secure.origin } }
    assertNotOk(await tried(service, selfSigned), /certificate of 127\.0\.0\.1, port \d+ is not one that.*CA/)
  })

  it('sends no event to a receiver, and knows a sender by its secret', async (t) => {
    const service = await startService(t)
    const { url, seen } = await watchedServer(t, (_request, response) => response.writeHead(403).end())
    const secrets = { signing_secret: CANARY }
    assertOk(await tried(service, { kind: 'webhook', settings: { url }, secrets }), /403.*no event was sent/)
    assert.equal(seen.method, 'HEAD')
    assertOk(await tried(service, { kind: 'webhook', secrets }), /signing secret/)
  })

  it('asks for the list of models with the key, as each provider wants it', async (t) => {
    const service = await startService(t)
    const { url, seen } = await watchedServer(t, (request, response) => {
      const isKnown = JSON.stringify(request.headers).includes(CANARY)
      const isGoogle = request.url?.startsWith('/google/models')
      const list = isGoogle ? { models: [{ name: 'models/a' }] } : { data: [{ id: 'a' }, { id: 'b' }] }
      response.writeHead(isKnown ? 200 : 401).end(JSON.stringify(list))
    })
    const headers = {
      openai: { authorization: `Bearer ${CANARY}` },
      anthropic: { 'x-api-key': CANARY, 'anthropic-version': '2023-06-01' },
      google: { 'x-goog-api-key': CANARY },
      'openai-compatible': { authorization: `Bearer ${CANARY}` }
    }
    for (const [kind, sent] of Object.entries(headers)) {
      const settings = { base_url: `${url}/${kind}` }
      const models = { kind, settings, secrets: { api_key: CANARY } }
      assertOk(await tried(service, models), kind === 'google' ? /offers 1 model\./ : /offers 2 models\./)
      assert.partialDeepStrictEqual(seen, { headers: sent })
      assert.ok(seen.url?.startsWith(`/${kind}/models`), seen.url)
      const wrong = { ...models, secrets: { api_key: 'another key' } }
      assertNotOk(await tried(service, wrong), /answered 401\. Check the API key/)
    }
  })

  it('pings a server of tools', async (t) => {
    const service = await startService(t)
    const { url, seen } = await watchedServer(t, (_request, response) => response.writeHead(200).end('{}'))
    const tools = { kind: 'mcp', settings: { url: `${url}/mcp` }, secrets: { token: CANARY } }
    assertOk(await tried(service, tools), /answered 200\. It did not refuse the token/)
    assert.partialDeepStrictEqual(seen, { method: 'POST', url: '/mcp' })
  })

  it('signs in to a mail server, encrypted, and sends nothing', async (t) => {
    const service = await startService(t)
    const server = await startMailServer(t, { password: CANARY })
    const mail = (settings: object, password = CANARY) => {
      const whole = { host: '127.0.0.1', user: 'ann', from: 'me@mail.example', ca: AUTHORITY, ...settings }
      return { kind: 'smtp', settings: whole, secrets: { password } }
    }
    const { port } = server
    assertOk(
      await tried(service, mail({ port })),
      /\(TLSv1\.3\), and it took the sign-in of ann\. No mail was sent/
    )
    assertNotOk(await tried(service, mail({ port }, 'wrong')), /refused the sign-in and said: 535 Not •••/)
    assertNotOk(await tried(service, mail({ port, secure: true })), /does not speak TLS as it should/)
    const plain = await startMailServer(t, { password: CANARY, tls: 'none' })
    assertNotOk(await tried(service, mail({ port: plain.port })), /offers no encryption \(STARTTLS\)/)
    assertNotOk(await tried(service, mail({ port: 1 })), /127\.0\.0\.1, port 1 cannot be reached/)
    assert.deepEqual([server.mails, plain.mails], [[], []])
  })

  it('is for those who administer it, and leads them nowhere that their flows may not go', async (t) => {
    const service = await startService(t)
    const { url, seen } = await watchedServer(t, (_request, response) => response.end())
    await makeContext(service, '/sales', {})
    const { key } = await service.createKey({ rights: ['admin'], context: '/sales' })
    const inRoot = await make(service, { kind: 'http', settings: { base_url: url } })
    const test = (id: string) => service.request('POST', `/api/v1/connections/${id}/test`, { key })
    problemOf(await test(inRoot), 404, 'connection_not_found')
    problemOf(await test('absent'), 404, 'connection_not_found')
    const { hostname, port } = new URL(url)
    const mine: object[] = [
      { kind: 'http', settings: { base_url: url } },
      { kind: 'webhook', settings: { url }, secrets: { signing_secret: CANARY } },
      { kind: 'smtp', settings: { host: hostname, port: Number(port), from: 'a@b.example' } },
      { kind: 'openai-compatible', settings: { base_url: url } },
      { kind: 'mcp', settings: { url } }
    ]
    for (const each of mine) {
      const id = await make(service, { context: '/sales', ...each }, key)
      assertNotOk((await test(id)).json<Trial>(), /Steps may not reach 127\.0\.0\.1, port \d+/)
    }
    assert.deepEqual(seen, {})
  })
})
