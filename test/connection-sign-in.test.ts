import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rotateSecrets } from '../src/cli/rotate-secrets.ts'
import { readConfig } from '../src/startup/config.ts'
import { type Answer, problemOf } from './support/api-client.ts'
import { OAUTH_CANARY as CANARY, startOAuthProvider } from './support/oauth-provider.ts'
import { readFolder } from './support/read-folder.ts'
import { type Service, shiftedClock, startService } from './support/service.ts'

const CALLBACK = '/api/v1/connections/sign-in/callback'

async function cookieOf(service: Service, key: string): Promise<string> {
  const answer = await service.post('/api/v1/session', { api_key: key }, { key: null })
  return answer.headers.get('set-cookie')!.split(';')[0]!
}

async function begin(service: Service, id: string): Promise<{ url: string; redirect_uri: string }> {
  const answer = await service.post(`/api/v1/connections/${id}/sign-in`)
  assert.equal(answer.status, 200, answer.text)
  return answer.json()
}

async function tried(service: Service, id: string): Promise<{ ok: boolean; message: string }> {
  const answer = await service.post(`/api/v1/connections/${id}/test`)
  assert.ok(!answer.text.includes(CANARY))
  return answer.json()
}

function comeBack(service: Service, query: string, cookie?: string): Promise<Answer> {
  return service.get(CALLBACK + query, { key: null, ...(cookie && { headers: { cookie } }) })
}

describe('signing in for a connection', () => {
  it('is done by a person once; the service goes on by itself', async (t) => {
    const provider = await startOAuthProvider(t)
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock, env: { MILLRACE_PUBLIC_URL: 'https://flows.example' } })
    const made = await service.post('/api/v1/connections', {
      name: 'shop',
      kind: 'http',
      settings: {
        base_url: provider.url,
        auth: 'oauth2',
        grant: 'authorization_code',
        authorize_url: 'https://login.example/authorize?audience=shop',
        token_url: `${provider.url}/token`,
        client_id: 'millrace'
      }
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.json<{ id: string }>()
    assert.match((await tried(service, id)).message, /nobody has signed in yet\. Open it in the page/)

    const { url, redirect_uri } = await begin(service, id)
    assert.match(url, /^https:\/\/login\.example\/authorize\?audience=shop&response_type=code&/)
    assert.equal(redirect_uri, `https://flows.example${CALLBACK}`)
    // It is to be registered before anybody signs in.
    const kinds = (await service.get('/api/v1/connections/kinds')).json<{ redirect_uri: string }>()
    assert.equal(kinds.redirect_uri, redirect_uri)
    assert.match(new URL(url).searchParams.get('state')!, /^[\w.-]+$/, 'some providers do not encode it')
    const query = provider.signIn(url)

    // The provider's page leads here, so the browser leaves the cookie out; our own page leads here again.
    const bounced = await comeBack(service, query)
    const [, again] = /url=(\?[^"]+)"/.exec(bounced.text) ?? assert.fail(bounced.text)
    const readAgain = again!.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    assert.equal(readAgain, `${query}&again=1`)
    // Nobody else than who began it can end it: neither without a session nor with another's.
    const other = await cookieOf(service, (await service.createKey({ rights: ['admin', 'read'] })).key)
    for (const cookie of [undefined, other]) {
      const refused = await comeBack(service, readAgain, cookie)
      assert.equal(refused.status, 400)
      assert.match(refused.text, /not started in this browser/)
    }
    const cookie = await cookieOf(service, service.key)
    const done = await comeBack(service, readAgain, cookie)
    assert.equal(done.status, 200, done.text)
    assert.match(done.text, /The connection &#34;shop&#34; is ready to use/)
    assert.equal(done.headers.get('referrer-policy'), 'no-referrer')
    assert.equal((await tried(service, id)).ok, true)

    // A code is good once, and says so without words of its own.
    const twice = await comeBack(service, query, cookie)
    assert.match(twice.text, /invalid_grant/)

    // Refused before its time, and over in the end: both times it is got anew by itself.
    provider.revoke()
    assert.equal((await tried(service, id)).ok, true)
    advance(3_600_000)
    assert.equal((await tried(service, id)).ok, true)
    assert.equal(provider.issued(), 3)

    // Tokens are sealed as secrets are, also after a change of the key.
    await rotateSecrets(readConfig({ MILLRACE_HOME: service.home }, () => ''))
    await service.stop()
    for (const [file, bytes] of readFolder(service.home)) assert.ok(!bytes.includes(CANARY), file)
    const restarted = await startService(t, { home: service.home, clock })
    assert.equal((await tried(restarted, id)).ok, true)
    assert.equal(provider.issued(), 3)
  })

  it('is refused where nothing is to be signed in for, too late, or by the provider', async (t) => {
    const { clock, advance } = shiftedClock()
    const service = await startService(t, { clock })
    const settings = { base_url: 'https://shop.example', auth: 'oauth2' }
    const made = (more: object) =>
      service.post('/api/v1/connections', { name: 'shop', kind: 'http', settings: { ...settings, ...more } })
    const { errors = [] } = problemOf(await made({ grant: 'authorization_code' }), 422, 'connection_invalid')
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['/settings/token_url', '/settings/authorize_url', '/settings/client_id']
    )
    const address = 'https://login.example/'
    const { id } = (
      await made({ grant: 'authorization_code', token_url: address, authorize_url: address, client_id: 'm' })
    ).json<{ id: string }>()
    const plain = await service.post('/api/v1/connections', {
      name: 'plain',
      kind: 'http',
      settings: { base_url: 'https://shop.example' }
    })
    const path = `/api/v1/connections/${plain.json<{ id: string }>().id}/sign-in`
    problemOf(await service.post(path), 409, 'connection_without_sign_in')
    const { url } = await begin(service, id)
    const state = new URLSearchParams({ state: new URL(url).searchParams.get('state')! })
    const cookie = await cookieOf(service, service.key)
    const denied = await comeBack(service, `?${state}&error=access_denied&error_description=<b>no`, cookie)
    assert.match(denied.text, /did not let you in \(access_denied: &#60;b&#62;no\)/)
    assert.match((await comeBack(service, '?state=1.a.b.c&code=x', cookie)).text, /not started/)
    advance(10 * 60_000)
    assert.match((await comeBack(service, `?${state}&code=x`, cookie)).text, /more than ten minutes ago/)
  })
})
