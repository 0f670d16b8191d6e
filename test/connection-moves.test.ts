import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { startOAuthProvider } from './support/oauth-provider.ts'
import { startOutside } from './support/outside.ts'
import { type Service, startService } from './support/service.ts'

const CANARY = 'canary-moves-0123456789'

interface Made {
  readonly id: string
}

/** Made by whoever administers the root; an administrator of its context changes it. */
async function madeFor(service: Service, body: object): Promise<string> {
  const made = await service.post('/api/v1/connections', { context: '/team', ...body })
  assert.equal(made.status, 201, made.text)
  return made.json<Made>().id
}

/** Each row: the kind, settings, secrets, and changes that take the secrets elsewhere. */
const ROWS: readonly [kind: string, settings: object, secrets: Record<string, string>, changes: object[]][] =
  [
    [
      'http',
      { base_url: 'https://shop.example/v1', auth: 'bearer' },
      { token: CANARY },
      [
        { base_url: 'https://evil.example/v1' },
        { base_url: 'http://shop.example/v1' },
        { base_url: 'https://shop.example:8443/v1' }
      ]
    ],
    [
      'http',
      {
        base_url: 'https://shop.example',
        auth: 'oauth2',
        token_url: 'https://id.example/token',
        client_id: 'c'
      },
      { client_secret: CANARY },
      [
        { token_url: 'https://evil.example/token' },
        { token_url: 'https://id.example/evil' },
        { base_url: 'https://evil.example' }
      ]
    ],
    [
      'webhook',
      { url: 'https://shop.example/hook' },
      { signing_secret: CANARY },
      [{ url: 'https://evil.example' }]
    ],
    ['webhook', {}, { signing_secret: CANARY }, [{ url: 'https://evil.example' }]],
    [
      'postgres',
      { host: 'db.example', database: 'd', user: 'u', ssl: true },
      { password: CANARY },
      [{ host: 'evil.example' }, { port: 5433 }, { ssl: 'no-verify' }, { ssl: false }, { ca: 'another' }]
    ],
    [
      'mysql',
      { host: 'db.example', database: 'd', user: 'u' },
      { password: CANARY },
      [{ host: 'evil.example' }]
    ],
    [
      'smtp',
      { host: 'mail.example', user: 'u', from: 'a@b.example' },
      { password: CANARY },
      [{ host: 'evil.example' }, { port: 25 }, { ca: 'another' }]
    ],
    ['openai', {}, { api_key: CANARY }, [{ base_url: 'https://evil.example/v1' }]],
    [
      'anthropic',
      { base_url: 'https://a.example' },
      { api_key: CANARY },
      [{ base_url: 'https://evil.example/v1' }]
    ],
    ['google', {}, { api_key: CANARY }, [{ base_url: 'https://evil.example/v1' }]],
    [
      'openai-compatible',
      { base_url: 'https://m.example' },
      { api_key: CANARY },
      [{ base_url: 'https://evil.example' }]
    ],
    ['mcp', { url: 'https://mcp.example' }, { token: CANARY }, [{ url: 'https://evil.example' }]]
  ]

describe('a connection whose address is changed', () => {
  it('asks for its secrets anew, whatever its kind', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/team', {})
    const { key } = await service.createKey({
      rights: ['trigger', 'read', 'write', 'admin'],
      context: '/team'
    })
    for (const [index, [kind, settings, secrets, changes]] of ROWS.entries()) {
      const name = `c${index}`
      const id = await madeFor(service, { name, kind, settings, secrets })
      const path = `/api/v1/connections/${id}`
      const put = (changed: object, sent: object = {}) =>
        service.request('PUT', path, {
          key,
          body: { name, kind, settings: { ...settings, ...changed }, ...sent }
        })
      const [secret] = Object.keys(secrets)
      for (const change of changes) {
        const what = `${kind} ${JSON.stringify(change)}`
        for (const sent of [{}, { secrets: { [secret!]: 'set' } }]) {
          const answer = await put(change, sent)
          assert.equal(answer.status, 422, `${what}: ${answer.text}`)
          const { errors, detail } = problemOf(answer, 422, 'secret_needed_again')
          assert.deepEqual(
            errors!.map(({ path }) => path),
            [`/secrets/${secret}`]
          )
          assert.match(detail, /enter(ed)? (it )?again|again/)
        }
      }
      // What leads to the same place needs none, and another secret may go anywhere.
      assert.equal((await put({}, { name: `renamed ${index}` })).status, 200, kind)
      const moved = await put(changes[0]!, { secrets: { [secret!]: 'a-secret-of-their-own' } })
      assert.equal(moved.status, 200, `${kind}: ${moved.text}`)
      // Not by way of a state in which the secret does not matter, either.
      assert.equal((await service.request('DELETE', path, { key })).status, 204)
    }
  })

  it('does not keep what the new settings hide, to be sent later', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/team', {})
    const { key } = await service.createKey({ rights: ['admin'], context: '/team' })
    const outside = await startOutside(t)
    const base = { name: 'shop', kind: 'http' }
    const id = await madeFor(service, {
      ...base,
      settings: { base_url: 'https://shop.example', auth: 'bearer' },
      secrets: { token: CANARY }
    })
    const put = (settings: object) =>
      service.request('PUT', `/api/v1/connections/${id}`, { key, body: { ...base, settings } })
    const there = { base_url: outside.url('/') }
    const hidden = await put({ ...there, auth: 'none' })
    assert.equal(hidden.status, 200, hidden.text)
    assert.deepEqual(hidden.json<{ secrets: object }>().secrets, {})
    problemOf(await put({ ...there, auth: 'bearer' }), 422, 'connection_invalid')
  })

  it('is refused without the words that were sent as a secret', async (t) => {
    const service = await startService(t)
    const body = {
      name: 'shop',
      kind: 'http',
      settings: { base_url: 'https://shop.example', auth: 'bearer' }
    }
    for (const secrets of [
      CANARY,
      { token: `${CANARY}${'x'.repeat(20_000)}` },
      { token: [CANARY] },
      123_456_789
    ]) {
      const answer = await service.post('/api/v1/connections', { ...body, secrets })
      problemOf(answer, 422, 'invalid_request')
      assert.ok(!answer.text.includes('canary') && !answer.text.includes('123456789'), answer.text)
    }
  })

  it('takes no password within its address', async (t) => {
    const service = await startService(t)
    const settings = { base_url: 'https://user:password@shop.example' }
    const made = await service.post('/api/v1/connections', { name: 'shop', kind: 'http', settings })
    assert.match(problemOf(made, 422, 'connection_invalid').detail, /user or password in the address/)
  })
})

describe('tokens that a person signed in for', () => {
  it('are void where the connection leads to another origin', async (t) => {
    const provider = await startOAuthProvider(t)
    const service = await startService(t, { env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })
    await makeContext(service, '/team', {})
    const { key } = await service.createKey({ rights: ['admin', 'read'], context: '/team' })
    const outside = await startOutside(t)
    outside.answerAll(() => ({ status: 200, body: {} }))
    const settings = {
      base_url: provider.url,
      auth: 'oauth2',
      grant: 'authorization_code',
      authorize_url: 'https://login.example/authorize',
      token_url: `${provider.url}/token`,
      client_id: 'millrace'
    }
    const id = await madeFor(service, { name: 'shop', kind: 'http', settings })
    const signedIn = await service.post('/api/v1/session', { api_key: service.key }, { key: null })
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
    const begun = await service.post(`/api/v1/connections/${id}/sign-in`)
    const query = provider.signIn(begun.json<{ url: string }>().url)
    const back = `/api/v1/connections/sign-in/callback${query}`
    assert.equal((await service.get(back, { key: null, headers: { cookie } })).status, 200)
    const tried = async () =>
      (await service.post(`/api/v1/connections/${id}/test`, undefined, { key })).json<{
        ok: boolean
        message: string
      }>()
    assert.equal((await tried()).ok, true)

    const put = (base_url: string) =>
      service.request('PUT', `/api/v1/connections/${id}`, {
        key,
        body: { name: 'shop', kind: 'http', settings: { ...settings, base_url } }
      })
    assert.equal((await put(outside.url('/'))).status, 200)
    assert.match((await tried()).message, /nobody has signed in yet/)
    assert.deepEqual(outside.calls, [])
    // Nor are they there again when it leads back.
    assert.equal((await put(provider.url)).status, 200)
    assert.match((await tried()).message, /nobody has signed in yet/)
  })
})
