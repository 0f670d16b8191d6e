import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { RunBody } from '../api-client.ts'
import { AUTHORITY } from '../certificates.ts'
import { cleanUp } from '../clean-up.ts'
import { startMailServer } from '../mail-server.ts'
import { startMcpServer } from '../mcp-server.ts'
import { startEmbeddingProvider } from '../model-provider/embedding-provider.ts'
import { startModelProvider } from '../model-provider/model-provider.ts'
import { temporaryFolder } from '../service.ts'
import { CANARY, OTHER } from './canary-secrets.ts'
import { startEcho, startTcp } from './secret-echo.ts'

export type Node = { readonly id: string; readonly type: string; readonly fields?: object }

/** What a canary can do with the service. Every answer is looked through in the end. */
interface CanaryStage {
  readonly call: (method: string, path: string, body?: unknown) => Promise<string>
  readonly plant: (name: string, kind: string, settings: object, secrets?: object) => Promise<string>
  readonly play: (nodes: readonly Node[], status: 'succeeded' | 'failed', input?: unknown) => Promise<RunBody>
}

const webhook: Node = { id: 'w', type: 'webhook' }
const chat: Node = { id: 'i', type: 'chat-input' }

/** The components that reach outside, with peers that say again what they were told. */
export async function playOutside(
  t: TestContext,
  { call, plant, play }: CanaryStage,
  database: () => Promise<string>
): Promise<void> {
  await t.test('API Request, by every way to sign in', async () => {
    const echo = await startEcho(t, OTHER)
    const base_url = echo.url
    const token_url = `${echo.url}/token`
    await plant('bearer', 'http', { base_url, auth: 'bearer' }, { token: CANARY })
    await plant('basic', 'http', { base_url, auth: 'basic', user: 'ann' }, { password: CANARY })
    await plant('header', 'http', { base_url, auth: 'header', header: 'x-key' }, { value: CANARY })
    const oauth = { base_url, auth: 'oauth2', token_url, client_id: 'millrace' }
    await plant('oauth', 'http', oauth, { client_secret: CANARY })
    const wrong = await plant(
      'wrong',
      'http',
      { ...oauth, token_url: `${echo.url}/refuse` },
      { client_secret: CANARY }
    )
    await call('POST', `/api/v1/connections/${wrong}/test`)
    for (const connection of ['bearer', 'basic', 'header', 'oauth']) {
      const request = (url: string) => ({ id: 'r', type: 'api-request', fields: { connection, url } })
      await play([webhook, request('/echo'), { id: 'o', type: 'chat-output' }], 'succeeded')
      await play([webhook, request('/fail')], 'failed')
      await play([webhook, request('/cut')], 'failed')
    }
    await play(
      [webhook, { id: 'r', type: 'api-request', fields: { connection: 'wrong', url: '/' } }],
      'failed'
    )
  })

  await t.test('API Operation', async () => {
    const echo = await startEcho(t, OTHER)
    const id = await plant('documented', 'http', { base_url: echo.url, auth: 'bearer' }, { token: CANARY })
    const paths = {
      '/echo': { get: { operationId: 'echo', parameters: [{ name: 'it', in: 'query' }] } },
      '/fail': { get: { operationId: 'fail' } }
    }
    await call('PUT', `/api/v1/connections/${id}/document`, { openapi: '3.1.0', paths })
    await call('GET', `/api/v1/connections/${id}/operations`)
    const operation = (name: string) => ({
      id: 'r',
      type: 'api-operation',
      fields: { connection: 'documented', operation: name }
    })
    await play([webhook, operation('echo'), { id: 'o', type: 'chat-output' }], 'succeeded')
    await play([webhook, operation('fail')], 'failed')
    await play([webhook, operation('absent')], 'failed')
  })

  await t.test('SQL', async () => {
    const { hostname: host, port, pathname } = new URL(await database())
    const settings = { host, port: Number(port), database: pathname.slice(1), user: 'millrace' }
    const sqlite = join(await temporaryFolder(t), 'a.db')
    await plant('postgres', 'postgres', settings, { password: CANARY })
    await plant('sqlite', 'sqlite', { file: sqlite })
    const deaf = await startTcp(t, (socket) => socket.end(CANARY))
    for (const kind of ['postgres', 'mysql']) {
      const name = `deaf ${kind}`
      const id = await plant(name, kind, { ...settings, host: '127.0.0.1', port: deaf }, { password: CANARY })
      await call('POST', `/api/v1/connections/${id}/test`)
      await play([webhook, query(name, 'SELECT 1')], 'failed')
    }
    // A database that says the secret, which nobody has told it in these letters.
    const backwards = [...CANARY].reverse().join('')
    await play([webhook, query('postgres', 'SELECT reverse(:it) AS said', { it: '{it}' })], 'succeeded', {
      it: backwards
    })
    await play([webhook, query('postgres', 'SELECT reverse(:it)::integer', { it: '{it}' })], 'failed', {
      it: backwards
    })
    await play([webhook, query('sqlite', 'SELECT 1 AS one')], 'succeeded')
    await play([webhook, query('sqlite', 'SELECT nothing')], 'failed')
  })

  await t.test('Language Model, of every provider', async (t) => {
    const provider = await startModelProvider(t, { key: CANARY, reply: () => ({ pieces: [...CANARY] }) })
    for (const kind of ['openai', 'anthropic', 'google', 'openai-compatible'] as const) {
      const settings = { base_url: provider.baseUrl(kind) }
      const id = await plant(kind, kind, settings, { api_key: CANARY })
      await plant(`wrong ${kind}`, kind, settings, { api_key: OTHER })
      await call('POST', `/api/v1/connections/${id}/test`)
      const model = (connection: string, name: string) => {
        return { id: 'm', type: 'language-model', fields: { connection, model: name, prompt: 'Say it' } }
      }
      await play([chat, model(kind, 'large'), { id: 'o', type: 'chat-output' }], 'succeeded', 'Hi')
      await play([chat, model(kind, 'unknown')], 'failed', 'Hi')
      await play([chat, model(`wrong ${kind}`, 'large')], 'failed', 'Hi')
      const agent = (name: string) => ({ ...model(kind, name), type: 'agent' })
      await play([chat, agent('large'), { id: 'o', type: 'chat-output' }], 'succeeded', 'Hi')
      await play([chat, agent('unknown')], 'failed', 'Hi')
    }
  })

  await t.test('Knowledge Write and Knowledge Search', async (t) => {
    const says = { status: 500, body: { error: { message: `Was sent ${CANARY}` } } }
    const provider = await startEmbeddingProvider(t, {
      key: CANARY,
      answer: ({ model }) => (model === 'broken' ? says : undefined)
    })
    const settings = { base_url: provider.baseUrl('openai') }
    await plant('embeds', 'openai', settings, { api_key: CANARY })
    await plant('wrong embeds', 'openai', settings, { api_key: OTHER })
    const knows = (type: string, collection: string) => ({ id: 'k', type, fields: { collection } })
    const rows: [collection: string, connection: string, model: string][] = [
      ['good', 'embeds', 'small'],
      ['broken', 'embeds', 'broken'],
      ['refused', 'wrong embeds', 'small']
    ]
    for (const [name, connection, model] of rows) {
      const made = JSON.parse(await call('POST', '/api/v1/collections', { name, connection, model }))
      const status = name === 'good' ? 'succeeded' : 'failed'
      await play([chat, knows('knowledge-write', name)], status, 'Ann')
      await play([chat, knows('knowledge-search', name)], status, 'Ann')
      await call('POST', `/api/v1/collections/${made.id}/search`, { query: 'Ann' })
      await call('POST', `/api/v1/collections/${made.id}/texts`, { text: 'Ann' })
    }
  })

  await t.test('servers of tools, by an agent and without one', async (t) => {
    const server = await startMcpServer({
      token: CANARY,
      // Else somebody is asked before the agent calls it, and the run waits for that.
      tools: [
        {
          name: 'say',
          description: CANARY,
          inputSchema: { type: 'object' },
          annotations: { readOnlyHint: true }
        }
      ],
      call: ({ fails }) => ({ content: [{ type: 'text', text: CANARY }], isError: fails === true })
    })
    cleanUp(t, () => server.stop())
    const models = await startModelProvider(t, {
      key: CANARY,
      reply: ({ body }) =>
        JSON.stringify(body).includes('"role":"tool"')
          ? { pieces: [...CANARY] }
          : { pieces: [CANARY], calls: [{ id: 'c', name: 'say', arguments: { it: CANARY } }] }
    })
    const settings = { base_url: models.baseUrl('openai-compatible') }
    await plant('agent models', 'openai-compatible', settings, { api_key: CANARY })
    await plant('tools', 'mcp', { url: server.url }, { token: CANARY })
    await plant('wrong tools', 'mcp', { url: server.url }, { token: OTHER })
    const calls = (connection: string, given: object) => {
      return { id: 'm', type: 'mcp-call', fields: { connection, tool: 'say', arguments: given } }
    }
    await play([webhook, calls('tools', {})], 'succeeded')
    await play([webhook, calls('tools', { fails: true })], 'failed')
    await play([webhook, calls('wrong tools', {})], 'failed')
    const fields = { connection: 'agent models', model: 'large', prompt: 'Say it' }
    const offers = (connection: string) => ({ id: 's', type: 'mcp-tools', fields: { connection } })
    await play([offers('tools'), { id: 'a', type: 'agent', fields }], 'succeeded')
    await play([offers('wrong tools'), { id: 'a', type: 'agent', fields }], 'failed')
    const { url } = await startEcho(t, OTHER)
    for (const path of ['echo', 'fail']) {
      const id = await plant(`no tools ${path}`, 'mcp', { url: `${url}/${path}` }, { token: CANARY })
      await call('POST', `/api/v1/connections/${id}/test`)
      await play([webhook, calls(`no tools ${path}`, {})], 'failed')
    }
  })

  await t.test('Send e-mail', async (t) => {
    const server = await startMailServer(t, { password: CANARY, says: `${CANARY} ${plain('ann', CANARY)}` })
    const rude = await startTcp(t, (socket) => socket.end(`500 ${CANARY}\r\n`))
    const mail = {
      host: '127.0.0.1',
      port: server.port,
      user: 'ann',
      from: 'ann@mail.example',
      ca: AUTHORITY
    }
    const ids = [
      await plant('mail', 'smtp', mail, { password: CANARY }),
      await plant('wrong mail', 'smtp', mail, { password: OTHER }),
      await plant('no mail', 'smtp', { ...mail, port: rude }, { password: CANARY })
    ]
    for (const id of ids) await call('POST', `/api/v1/connections/${id}/test`)
    const send = (connection: string, to: string) => ({
      id: 'm',
      type: 'send-email',
      fields: { connection, to }
    })
    await play([webhook, send('mail', 'bob@mail.example')], 'succeeded')
    await play([webhook, send('mail', 'refused@mail.example')], 'failed')
    await play([webhook, send('wrong mail', 'bob@mail.example')], 'failed')
    await play([webhook, send('no mail', 'bob@mail.example')], 'failed')
  })

  await t.test('Send webhook', async () => {
    const { url } = await startEcho(t, OTHER)
    const signing_secret = `whsec_${Buffer.from(CANARY).toString('base64')}`
    for (const path of ['echo', 'fail', 'cut']) {
      const id = await plant(path, 'webhook', { url: `${url}/${path}` }, { signing_secret })
      await call('POST', `/api/v1/connections/${id}/test`)
      const send = { id: 's', type: 'send-webhook', fields: { connection: path } }
      await play([webhook, send], path === 'echo' ? 'succeeded' : 'failed')
    }
    await plant('no key', 'webhook', { url: `${url}/echo` }, { signing_secret: CANARY })
    await play([webhook, { id: 's', type: 'send-webhook', fields: { connection: 'no key' } }], 'failed')
  })
}

/** As a mail server is told it. */
function plain(user: string, password: string): string {
  return Buffer.from(`\0${user}\0${password}`).toString('base64')
}

function query(connection: string, text: string, parameters: object = {}): Node {
  return { id: 's', type: 'sql', fields: { connection, query: text, parameters } }
}
