import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { waysToWrite } from '../src/connections/redaction/written-ways.test-kit.ts'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { cleanUp } from './support/clean-up.ts'
import { startOutside } from './support/outside.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile({ env: { MILLRACE_EGRESS_ALLOW: '127.0.0.1' } })

const TOKEN = '81234567:AAF-canary_0123456789/xYz'
const KEY = 'canary key&=+ 42 with signs'

let made = 0

async function connect(service: ApiClient, settings: object, secrets: Record<string, string>) {
  const name = `places-${++made}`
  const answer = await service.post('/api/v1/connections', { name, kind: 'http', settings, secrets })
  assert.equal(answer.status, 201, answer.text)
  return { name, id: answer.json<{ id: string }>().id, text: answer.text }
}

async function call(service: ApiClient, connection: string, fields: object) {
  const flow = await service.createFlow({
    name: connection,
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'call', type: 'api-request', retry: { attempts: 1 }, fields: { connection, ...fields } }
    ],
    edges: [{ from: 'webhook-1.data', to: 'call.data' }]
  })
  const { id } = await service.run(flow.slug, '{}')
  return (await service.get(`/api/v1/runs/${id}`)).text
}

/** Leads on with the query that it was asked with: within its origin, or away. */
async function redirecting(t: TestContext, away: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://a')
    asked.push(request.url!)
    if (pathname === '/moved') response.writeHead(302, { location: `/here${search}` })
    if (pathname === '/away') response.writeHead(302, { location: `${away}${search}` })
    response.end(request.url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(t, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function assertGone(text: string): void {
  for (const secret of [TOKEN, KEY]) {
    for (const [way, written] of Object.entries(waysToWrite(secret))) {
      assert.ok(
        !text.includes(JSON.stringify(written.slice(3, -3)).slice(1, -1)),
        `${way}: ${text.slice(0, 1500)}`
      )
    }
  }
}

describe('secrets of a connection', () => {
  it('stand in the path, in headers and in the query by their names, and nobody reads them there', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    outside.answerAll(({ path, headers }) => ({
      body: { path, headers, again: path.split(/[/?&]/) },
      status: path.includes('refused') ? 403 : 200
    }))
    const settings = {
      base_url: outside.url('/bot{token}'),
      headers: { 'X-Key': 'v1 {key}', 'X-Version': '2022-06-28' },
      query: { appid: '{key}', units: 'metric' }
    }
    const { name, id, text } = await connect(service, settings, { token: TOKEN, key: KEY })
    const said = [
      text,
      await call(service, name, {
        url: '/getMe',
        query: { units: 'imperial' },
        headers: { 'x-version': 'mine' }
      }),
      await call(service, name, { url: '/refused' }),
      (await service.post(`/api/v1/connections/${id}/test`)).text,
      (await service.get('/api/v1/connections')).text
    ]
    const [first] = outside.calls
    const search = `appid=${encodeURIComponent(KEY)}`
    assert.equal(first!.path, `/bot${TOKEN.replace('/', '%2F')}/getMe?units=imperial&${search}`)
    assert.deepEqual([first!.headers['x-key'], first!.headers['x-version']], [`v1 ${KEY}`, 'mine'])
    for (const each of said) assertGone(each)
    assert.match(said[1]!, /"status":"succeeded"/)
    assert.match(said[2]!, /upstream_unauthorized/)
  })

  it('sign in as a parameter, also where a redirect within the origin leads, and are taken to no other host', async (t) => {
    const service = await shared(t)
    const other = await startOutside(t)
    other.answerAll(() => ({ body: {} }))
    const { url, asked } = await redirecting(t, other.url())
    const settings = { base_url: url, auth: 'query', parameter: 'api_key' }
    const { name } = await connect(service, settings, { value: KEY })
    const search = `api_key=${encodeURIComponent(KEY)}`
    assertGone(await call(service, name, { url: '/moved', query: { page: '2' } }))
    assert.deepEqual(asked, [`/moved?page=2&${search}`, `/here?page=2&${search}`])
    const refused = await call(service, name, { url: '/away' })
    assert.match(refused, /bad_redirect/)
    assertGone(refused)
    assertGone(await call(service, name, { url: other.url('/elsewhere') }))
    assert.deepEqual(
      other.calls.map(({ path }) => path),
      ['/elsewhere']
    )
  })

  it('are asked for where the settings name them, and anew where the origin changes', async (t) => {
    const service = await shared(t)
    const outside = await startOutside(t)
    const refusal = async (settings: object, secrets: object = {}) => {
      const body = { name: 'refused', kind: 'http', settings, secrets }
      return problemOf(await service.post('/api/v1/connections', body), 422, 'connection_invalid').errors!
    }
    const base_url = 'https://api.example'
    assert.partialDeepStrictEqual(await refusal({ base_url: `${base_url}/bot{token}` }), [
      { path: '/secrets/token' }
    ])
    assert.partialDeepStrictEqual(await refusal({ base_url, headers: { a: '{x' } }), [
      { path: '/settings/headers' }
    ])
    assert.partialDeepStrictEqual(await refusal({ base_url, headers: { Host: 'b' } }), [
      { path: '/settings/headers' }
    ])
    assert.partialDeepStrictEqual(await refusal({ base_url: 'https://{shop}.example' }, { shop: 'x' }), [
      { path: '/settings/base_url' }
    ])
    assert.partialDeepStrictEqual(await refusal({ base_url: `${base_url}/?key={key}` }, { key: 'x' }), [
      { path: '/settings/base_url' }
    ])
    assert.partialDeepStrictEqual(await refusal({ base_url, auth: 'query' }, { value: 'x' }), [
      { path: '/settings/parameter' }
    ])
    assert.partialDeepStrictEqual(await refusal({ base_url, rate: 0 }), [{ path: '/settings/rate' }])
    assert.partialDeepStrictEqual(await refusal({ base_url }, { 'no name': 'x' }), [
      { path: '/secrets/no name' }
    ])

    const settings = { base_url: outside.url(), headers: { 'x-key': '{key}' } }
    const { name, id } = await connect(service, settings, { key: KEY, spare: TOKEN })
    const change = (more: object, secrets?: object) =>
      service.request('PUT', `/api/v1/connections/${id}`, {
        body: { name, kind: 'http', settings: { ...settings, ...more }, ...(secrets && { secrets }) }
      })
    assert.equal((await change({ query: { key: '{spare}' } })).status, 200, 'the origin is the same')
    const elsewhere = { base_url: 'https://evil.example' }
    const asked = problemOf(await change(elsewhere), 422, 'secret_needed_again')
    assert.deepEqual(
      asked.errors!.map(({ path }) => path),
      ['/secrets/key']
    )
    problemOf(await change({}, { key: null }), 422, 'connection_invalid')
    const moved = await change(elsewhere, { key: 'new' })
    assert.deepEqual(
      moved.json<{ secrets: object }>().secrets,
      { key: 'set' },
      'one that nothing names stays behind'
    )
  })
})
