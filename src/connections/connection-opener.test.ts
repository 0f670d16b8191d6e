import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { readAllowRule } from '../egress/allow-list.ts'
import { Egress } from '../egress/egress.ts'
import { serve } from '../egress/http-server.test-kit.ts'
import { MillraceError } from '../errors.ts'
import type { Connection } from './connection.ts'
import { ConnectionOpener } from './connection-opener.ts'
import { ConnectionResources } from './connection-resources.ts'
import { OpenedSecrets } from './opened-secrets.ts'

/** A server that notes the headers of requests. */
async function noting(
  t: TestContext,
  respond: RequestListener = (_request, response) => void response.end('ok')
) {
  const seen: IncomingHttpHeaders[] = []
  const at = await serve(t, (request, response) => {
    seen.push(request.headers)
    respond(request, response)
  })
  return { at, seen }
}

function connection(more: Partial<Connection>): Connection {
  return {
    id: 'c1',
    name: 'shop',
    kind: 'http',
    context: '/',
    settings: {},
    secrets: {},
    isTrusted: true,
    revision: 1,
    createdAt: 0,
    updatedAt: 0,
    ...more
  }
}

/** Secrets are not sealed here: `secrets` of the connection are what it opens to. */
function setUp(
  t: TestContext,
  known: Connection[],
  allow: string[] = [],
  accessToken: (connection: Connection, refused?: string) => Promise<string> = async () => ''
) {
  const egress = new Egress({ allow: allow.map(readAllowRule) })
  t.after(() => egress.close())
  const secrets = new OpenedSecrets()
  const opener = new ConnectionOpener({
    library: {
      visible: (_context, name) => known.find((one) => one.name === name),
      visibleNames: () => known.map(({ name }) => name),
      openSecrets: (one) => ({ ...one.secrets })
    },
    egress,
    paces: { turn: async () => {} },
    resources: new ConnectionResources(manualClock(), () => undefined),
    accessToken
  })
  const { signal } = new AbortController()
  const open = (name: string, kinds?: string[]) =>
    opener.openByName('/shop', { name, kinds }, { signal, secrets })
  return { open, secrets }
}

describe('opening a connection', () => {
  it('gives its settings and secrets', (t) => {
    const { open } = setUp(t, [
      connection({ settings: { base_url: 'https://a.example' }, secrets: { token: 'xyz' } })
    ])
    const { name, kind, settings, secrets } = open('shop')
    assert.deepEqual(
      [name, kind, settings.base_url, secrets.token],
      ['shop', 'http', 'https://a.example', 'xyz']
    )
  })

  it('redacts what a mail server is told to sign in, should the server say it again', (t) => {
    const settings = { host: 'mail.example', user: 'ann' }
    const { open, secrets } = setUp(t, [
      connection({ kind: 'smtp', settings, secrets: { password: 'correct horse' } })
    ])
    open('shop')
    const said = Buffer.from('\0ann\0correct horse').toString('base64')
    assert.equal(secrets.redactText(`535 Not ${said}, not correct horse`), '535 Not •••, not •••')
  })

  it('fails where none is chosen, none is there, or it is of another kind', (t) => {
    const { open } = setUp(t, [connection({})])
    assert.throws(() => open(''), { code: 'connection_missing', retryable: false })
    assert.throws(() => open('shopp'), {
      code: 'connection_not_found',
      retryable: false,
      message: /The context "\/shop" sees no connection "shopp"\. It sees shop\. Did you mean "shop"\?/
    })
    assert.throws(() => open('shop', ['postgres', 'mysql']), {
      code: 'connection_wrong_kind',
      message: /is of the kind http; this node takes postgres, mysql/
    })
  })

  it('fails with what the library says of a secret that cannot be opened', (t) => {
    const opener = new ConnectionOpener({
      library: {
        visible: () => connection({}),
        visibleNames: () => [],
        openSecrets: () => {
          throw new MillraceError('secret_unreadable', 'Give MILLRACE_SECRET_KEY the key')
        }
      },
      egress: new Egress({ allow: [] }),
      paces: { turn: async () => {} },
      resources: new ConnectionResources(manualClock(), () => undefined),
      accessToken: async () => ''
    })
    const opened = { signal: new AbortController().signal, secrets: new OpenedSecrets() }
    assert.throws(() => opener.openByName('/', { name: 'shop', kinds: undefined }, opened), {
      code: 'secret_unreadable',
      retryable: false
    })
    t.diagnostic('nothing was sent')
  })
})

describe('a request of a connection', () => {
  const ways: [string, Partial<Connection>, string, string][] = [
    [
      'bearer',
      { settings: { auth: 'bearer' }, secrets: { token: 'canary' } },
      'authorization',
      'Bearer canary'
    ],
    [
      'basic',
      { settings: { auth: 'basic', user: 'ann' }, secrets: { password: 'canary' } },
      'authorization',
      `Basic ${Buffer.from('ann:canary').toString('base64')}`
    ],
    [
      'header',
      { settings: { auth: 'header', header: 'X-Key' }, secrets: { value: 'canary' } },
      'x-key',
      'canary'
    ],
    ['mcp', { kind: 'mcp', secrets: { token: 'canary' } }, 'authorization', 'Bearer canary']
  ]
  for (const [way, given, header, value] of ways) {
    it(`shows who sends it (${way}) to its own address and to no other, also after a redirect`, async (t) => {
      const other = await noting(t)
      const own = await noting(t, (request, response) => {
        if (request.url === '/v1/away') response.writeHead(307, { location: other.at })
        response.end('ok')
      })
      const address = way === 'mcp' ? { url: `${own.at}/v1` } : { base_url: `${own.at}/v1` }
      const known = connection({ ...given, settings: { ...given.settings, ...address } })
      const { open, secrets } = setUp(t, [known], ['127.0.0.1'])
      for (const how of ['request', 'fetch'] as const) {
        const shop = open('shop')
        await shop[how]('/orders')
        await shop[how]('/away')
        await shop[how](`${other.at}/elsewhere`)
      }
      assert.deepEqual(
        own.seen.map((headers) => headers[header]),
        [value, value, value, value]
      )
      assert.equal(other.seen.length, 4)
      assert.ok(!JSON.stringify(other.seen).includes(value))
      assert.equal(secrets.redactText(`it was ${value}, canary`), 'it was •••, •••')
    })
  }

  for (const how of ['request', 'fetch'] as const) {
    it(`carries a token of OAuth, and another one after a refusal, once (${how})`, async (t) => {
      const other = await noting(t)
      const own = await noting(t, (request, response) => {
        const isGood = request.headers.authorization === 'Bearer token-2'
        if (request.url === '/away') response.writeHead(307, { location: other.at }).end()
        else response.writeHead(isGood && request.url !== '/never' ? 200 : 401).end()
      })
      const asked: (string | undefined)[] = []
      const known = connection({ settings: { base_url: own.at, auth: 'oauth2' } })
      const { open, secrets } = setUp(t, [known], ['127.0.0.1'], async (_connection, refused) => {
        asked.push(refused)
        return `token-${asked.length}`
      })
      const shop = open('shop')
      assert.equal((await shop[how]('/orders', { method: 'POST', body: 'x' })).status, 200)
      assert.equal((await shop[how]('/orders')).status, 200)
      assert.deepEqual(asked, [undefined, 'token-1'])
      await shop[how]('/away')
      assert.equal(other.seen[0]!.authorization, undefined)
      assert.equal((await shop[how]('/never')).status, 401)
      assert.deepEqual(asked, [undefined, 'token-1', 'token-2'])
      assert.equal(secrets.redactText('token-1 token-2 token-3'), '••• ••• •••')
    })
  }

  it('takes a key that a library wrote into a header to no other address', async (t) => {
    const other = await noting(t)
    const own = await noting(
      t,
      (_request, response) => void response.writeHead(307, { location: other.at }).end()
    )
    const known = connection({
      kind: 'anthropic',
      settings: { base_url: own.at },
      secrets: { api_key: 'canary' }
    })
    const { open } = setUp(t, [known], ['127.0.0.1'])
    await open('shop').fetch('/messages', { headers: { 'x-api-key': 'canary', 'x-plain': 'yes' } })
    assert.equal(own.seen[0]!['x-api-key'], 'canary')
    assert.deepEqual([other.seen[0]!['x-api-key'], other.seen[0]!['x-plain']], [undefined, 'yes'])
  })

  it('reaches its very host and port where they are trusted, and nothing else', async (t) => {
    const own = await noting(t)
    const other = await noting(t)
    const trusted = connection({ settings: { base_url: own.at } })
    const untrusted = connection({
      id: 'c2',
      name: 'untrusted',
      settings: { base_url: own.at },
      isTrusted: false
    })
    const { open } = setUp(t, [trusted, untrusted])
    assert.equal((await open('shop').request('/')).status, 200)
    await assert.rejects(open('shop').request(other.at), { code: 'egress_refused' })
    await assert.rejects(open('untrusted').request('/'), { code: 'egress_refused' })
    assert.deepEqual([own.seen.length, other.seen.length], [1, 0])
  })

  it('opens sockets by the same rule', async (t) => {
    const at = new URL(await serve(t, (_request, response) => void response.end()))
    const settings = { host: at.hostname, port: Number(at.port) }
    const trusted = connection({ kind: 'postgres', settings })
    const untrusted = connection({ ...trusted, name: 'untrusted', isTrusted: false })
    const { open } = setUp(t, [trusted, untrusted])
    const connect = async (name: string) => {
      const socket = open(name).socket() as import('node:net').Socket
      socket.connect(Number(at.port), at.hostname)
      await once(socket, 'connect').finally(() => socket.destroy())
    }
    await connect('shop')
    await assert.rejects(connect('untrusted'), { code: 'egress_refused' })
  })
})
