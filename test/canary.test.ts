import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { backUp } from '../src/cli/back-up.ts'
import { examine } from '../src/cli/doctor.ts'
import { builtInComponents } from '../src/components/built-in.ts'
import { CONNECTION_KINDS } from '../src/connections/kinds/kinds.ts'
import { waysToWrite } from '../src/connections/redaction/written-ways.test-kit.ts'
import { readConfig } from '../src/startup/config.ts'
import type { RunBody } from './support/api-client.ts'
import { collectEvents, readEverything, rowsOf } from './support/canary/read-everything.ts'
import { startEcho, startTcp } from './support/canary/secret-echo.ts'
import { AUTHORITY } from './support/certificates.ts'
import { startMailServer } from './support/mail-server.ts'
import { startModelProvider } from './support/model-provider/model-provider.ts'
import { sharedPostgres } from './support/postgres.ts'
import { startService, temporaryFolder } from './support/service.ts'

/**
 * Plants a secret in every kind of connection, lets every component succeed and fail with peers that say again what they
 * were told, and looks for it in all that anybody can read afterwards. A component or a kind that is not played here fails
 * the test: whoever adds one adds it below.
 */
const postgres = sharedPostgres()

/** It has what URLs, forms and JSON write otherwise; the part in the middle is written alike by all of them. */
const CORE = 'canary0123456789'
const CANARY = `"a/${CORE}+b=c`
const OTHER = `"a/${CORE}+token`

/** Steps of these cannot fail: what they are asked is refused before there is a run. */
const NEVER_FAIL = ['webhook', 'chat-input', 'chat-output', 'return', 'schedule', 'run-failed']
/** It is there to fail. */
const ALWAYS_FAIL = ['stop']

type Node = { readonly id: string; readonly type: string; readonly fields?: object }

/** Where a service keeps what it knows, and all of that as anybody could read it who gets hold of it. */
interface Store {
  readonly name: string
  environment(): Promise<Readonly<Record<string, string>>>
  contents(home: string, env: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Buffer>>
}

const STORES: readonly Store[] = [
  {
    name: 'the embedded store',
    environment: async () => ({}),
    contents: async (home) =>
      new Map(readdirSync(home).map((name) => [name, readFileSync(join(home, name))] as const))
  },
  {
    name: 'PostgreSQL',
    environment: async () => ({
      DATABASE_URL: await postgres.database(),
      MILLRACE_SECRET_KEY: randomBytes(32).toString('base64')
    }),
    contents: async (_home, env) => rowsOf(env.DATABASE_URL!)
  }
]

for (const store of STORES)
  test(`a secret is found nowhere in ${store.name} but sealed`, async (t) => {
    const env = await store.environment()
    const logs: string[] = []
    const sink = new Writable({
      write(line, _encoding, done) {
        logs.push(String(line))
        done()
      }
    })
    const service = await startService(t, { log: pino({ level: 'trace' }, sink), env })
    const texts: string[] = []
    const events = collectEvents(t, service)
    const played = new Map<string, Set<string>>()
    const planted = new Set<string>()

    /** Every answer is looked through in the end. */
    async function call(method: string, path: string, body?: unknown): Promise<string> {
      const answer = await service.request(method, path, body === undefined ? {} : { body })
      texts.push(`${method} ${path}: ${answer.status} ${answer.text}`)
      return answer.text
    }

    async function plant(
      name: string,
      kind: string,
      settings: object,
      secrets: object = {}
    ): Promise<string> {
      planted.add(kind)
      const made = JSON.parse(await call('POST', '/api/v1/connections', { name, kind, settings, secrets }))
      assert.ok(made.id, JSON.stringify(made))
      return made.id
    }

    async function play(nodes: readonly Node[], status: 'succeeded' | 'failed', input: unknown = {}) {
      const edges = nodes
        .slice(1)
        .flatMap((node, index) => inputsOf(node).map((to) => ({ from: outputOf(nodes[index]!), to })))
      const document = {
        name: 'Canary',
        nodes: nodes.map((node) => ({ retry: { attempts: 1 }, ...node })),
        edges
      }
      const flow = JSON.parse(await call('POST', '/api/v1/flows', document))
      assert.ok(flow.id, JSON.stringify(flow))
      const run = JSON.parse(await call('POST', `/api/v1/run/${flow.id}`, { input })) as RunBody
      const types = nodes.map(({ type }) => type).join(' → ')
      assert.equal(run.status, status, `${types}: ${JSON.stringify(run.steps)}`)
      for (const step of run.steps) {
        played.set(step.type, (played.get(step.type) ?? new Set()).add(step.status))
      }
      return run
    }

    const webhook: Node = { id: 'w', type: 'webhook' }
    const chat: Node = { id: 'i', type: 'chat-input' }

    await t.test('Webhook, Parser, Prompt and chat', async () => {
      const id = await plant('sender', 'webhook', {}, { signing_secret: CANARY })
      await call('POST', `/api/v1/connections/${id}/test`)
      const fields = { auth: 'Signature', signature_scheme: 'GitHub' }
      for (const secret of [{ connection: 'sender' }, { signing_secret: CANARY }]) {
        const node = { ...webhook, fields: { ...fields, ...secret } }
        const flow = JSON.parse(
          await call('POST', '/api/v1/flows', { name: 'Signed', nodes: [node], edges: [] })
        )
        for (const key of [CANARY, 'another']) {
          const signature = createHmac('sha256', key).update('{}').digest('hex')
          const headers = { 'x-hub-signature-256': `sha256=${signature}` }
          const answer = await service.webhook(flow.slug, '{}', { key: null, headers })
          assert.equal(answer.status, key === CANARY ? 202 : 401)
          texts.push(answer.text)
        }
      }
      for (const [template, status] of [
        ['{name}', 'succeeded'],
        ['{absent}', 'failed']
      ] as const) {
        const parser = { id: 'p', type: 'parser', fields: { template } }
        await play([webhook, parser, { id: 'o', type: 'chat-output' }], status, { name: 'Ann' })
      }
      const prompt = (template: string) => ({ id: 'p', type: 'prompt', fields: { template } })
      await play([chat, prompt('Hello {name}'), { id: 'o', type: 'chat-output' }], 'succeeded', 'Ann')
      await play([prompt('Hello {name}')], 'failed')
    })

    await t.test('Schedule and Run failed', async () => {
      for (const type of ['schedule', 'run-failed']) await play([{ id: 's', type }], 'succeeded', {})
    })

    await t.test('If-Else, Switch, Merge, Stop and Return', async () => {
      const given = { name: 'Ann' }
      const ifElse = (left: string) => ({ id: 'l', type: 'if-else', fields: { left, right: 'Ann' } })
      await play([webhook, ifElse('{name}'), { id: 'r', type: 'return' }], 'succeeded', given)
      await play([webhook, ifElse('{absent}')], 'failed', given)
      const by = (value: string) => ({ id: 'l', type: 'switch', fields: { value, cases: ['Ann'] } })
      await play([webhook, by('{name}')], 'succeeded', given)
      await play([webhook, by('{absent}')], 'failed', given)
      const merge = (mode: string) => ({ id: 'l', type: 'merge', fields: { mode } })
      await play([webhook, merge('Combine')], 'succeeded', given)
      await play([webhook, merge('Append')], 'failed', given)
      await play([webhook, { id: 'l', type: 'stop' }], 'failed', given)
    })

    await t.test('Keep', async () => {
      const keep = (fields: object) => ({ id: 'k', type: 'keep', fields: { key: '{name}', ...fields } })
      await play([webhook, keep({ operation: 'Set' })], 'succeeded', { name: 'Ann' })
      await play([webhook, keep({ operation: 'Increment' })], 'failed', { name: 'Ann' })
    })

    await t.test('what works on data', async () => {
      const rows = [{ name: 'Ann', total: 7, tags: ['a'] }]
      const sum = (field: string) => ({ aggregates: [{ operation: 'sum', field }] })
      const played: [type: string, good: object, bad: object][] = [
        ['select', { fields: ['name'] }, { fields: ['absent'] }],
        ['filter', { expression: 'data.total > 1' }, { expression: 'data.absent > 1' }],
        ['sort', { keys: ['total'] }, { keys: ['total'], path: 'absent' }],
        ['limit', {}, { path: 'absent' }],
        ['remove-duplicates', {}, { path: 'absent' }],
        ['aggregate', sum('total'), sum('name')],
        ['join', { keys: ['name'] }, { keys: ['absent'] }],
        ['split-out', { field: 'tags' }, { field: 'name' }],
        ['convert', { mode: 'Data to JSON' }, { mode: 'JSON to data' }],
        ['date', { date: '2026-11-17' }, { date: '{name}' }],
        ['hash', { text: '{name}' }, { text: '{absent}' }]
      ]
      for (const [type, good, bad] of played) {
        await play([webhook, { id: 'l', type, fields: good }], 'succeeded', rows)
        await play([webhook, { id: 'l', type, fields: bad }], 'failed', rows)
      }
      const split = { id: 'l', type: 'split-text' }
      await play([chat, split], 'succeeded', 'a,b')
      const id = (as: string) => ({ id: 'l', type: 'random-id', fields: { as } })
      await play([chat, id('')], 'succeeded', 'a')
      await play([chat, id('number')], 'failed', 'a')
      await play([webhook, { id: 'm', type: 'merge', fields: { mode: 'List' } }, split], 'failed', rows)
    })

    await t.test('For each and Run flow', async () => {
      const each = { id: 'l', type: 'for-each' }
      await play([webhook, each], 'succeeded', [{ name: 'Ann' }])
      await play([webhook, each], 'failed', { name: 'Ann' })
      const inner = await play([webhook, { id: 'r', type: 'return' }], 'succeeded', {})
      const runs = (flow: string) => ({ id: 'l', type: 'run-flow', fields: { flow } })
      await play([webhook, runs(inner.flow_id)], 'succeeded', {})
      await play([webhook, runs('absent')], 'failed', {})
    })

    await t.test('Code and Transform', async () => {
      const code = (source: string) => ({ id: 'l', type: 'code', fields: { code: source } })
      await play([webhook, code('return data')], 'succeeded', { name: 'Ann' })
      await play([webhook, code('throw new Error(data.name)')], 'failed', { name: 'Ann' })
      const transform = (expression: string) => ({ id: 'l', type: 'transform', fields: { expression } })
      await play([webhook, transform('name')], 'succeeded', { name: 'Ann' })
      await play([webhook, transform('name + 1')], 'failed', { name: 'Ann' })
    })

    await t.test('Delay, Wait for call and Approve', async () => {
      const given = { name: 'Ann' }
      const delay = (span: string) => ({ id: 'l', type: 'delay', fields: { for: span } })
      await play([webhook, delay('0s')], 'succeeded', given)
      await play([webhook, delay('{absent}')], 'failed', given)
      const call = (timeout: string) => ({ id: 'l', type: 'wait-for-call', fields: { timeout } })
      await play([webhook, call('0s')], 'succeeded', given)
      await play([webhook, call('{$absent}')], 'failed', given)
      const ask = (question: string) => ({ id: 'l', type: 'approve', fields: { question, timeout: '0s' } })
      await play([webhook, ask('{name}?')], 'succeeded', given)
      await play([webhook, ask('{absent}?')], 'failed', given)
    })

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

    await t.test('SQL', async () => {
      const { hostname: host, port, pathname } = new URL(await postgres.database())
      const settings = { host, port: Number(port), database: pathname.slice(1), user: 'millrace' }
      const sqlite = join(await temporaryFolder(t), 'a.db')
      await plant('postgres', 'postgres', settings, { password: CANARY })
      await plant('sqlite', 'sqlite', { file: sqlite })
      const deaf = await startTcp(t, (socket) => socket.end(CANARY))
      for (const kind of ['postgres', 'mysql']) {
        const name = `deaf ${kind}`
        const id = await plant(
          name,
          kind,
          { ...settings, host: '127.0.0.1', port: deaf },
          { password: CANARY }
        )
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

    await t.test('kinds that no component uses yet', async () => {
      const { url } = await startEcho(t, OTHER)
      const ids = [
        await plant('tools', 'mcp', { url: `${url}/echo` }, { token: CANARY }),
        await plant('no tools', 'mcp', { url: `${url}/fail` }, { token: CANARY })
      ]
      for (const id of ids) await call('POST', `/api/v1/connections/${id}/test`)
    })

    // Nothing was left out.
    assert.deepEqual([...planted].sort(), Object.keys(CONNECTION_KINDS).sort(), 'every kind of connection')
    for (const { type } of builtInComponents) {
      const wanted = ['failed', 'succeeded'].filter(
        (status) => !(status === 'failed' ? NEVER_FAIL : ALWAYS_FAIL).includes(type)
      )
      const seen = [...(played.get(type) ?? [])].filter((status) => wanted.includes(status)).sort()
      assert.deepEqual(seen, wanted, `the component ${type} is played here to success and to failure`)
    }

    await readEverything(call)
    texts.push(JSON.stringify(await diagnosis({ MILLRACE_HOME: service.home, ...env })))
    texts.push(...logs, ...(await events.end()))
    if (env.DATABASE_URL === undefined) {
      const file = join(await temporaryFolder(t), 'backup.db')
      texts.push(backUp({ home: service.home, database: null, secretKey: null }, file, '/'))
      assertClean(readFileSync(file), 'the backup')
    }
    await service.stop()
    for (const text of [...texts, ...logs]) assertClean(Buffer.from(text), text)
    const contents = await store.contents(service.home, env)
    assert.ok(
      [...contents.values()].some((bytes) => bytes.includes('deaf mysql')),
      'the store was looked at'
    )
    for (const [name, bytes] of contents) assertClean(bytes, name)
  })

/** By the letters that all ways of writing leave alone, and by those that leave none. */
const TRACES = [
  CORE,
  ...[CANARY, OTHER]
    .flatMap((secret) => Object.values(waysToWrite(secret)))
    .filter((text) => !text.includes(CORE))
]

function assertClean(bytes: Buffer, where: string): void {
  for (const trace of TRACES) {
    const at = bytes.indexOf(trace)
    const around = bytes.subarray(Math.max(0, at - 200), at + 100).toString()
    assert.equal(at, -1, `${trace} is in ${where.slice(0, 300)}\n… ${around}`)
  }
}

/** As a mail server is told it. */
function plain(user: string, password: string): string {
  return Buffer.from(`\0${user}\0${password}`).toString('base64')
}

function query(connection: string, text: string, parameters: object = {}): Node {
  return { id: 's', type: 'sql', fields: { connection, query: text, parameters } }
}

const OUTPUTS: Readonly<Record<string, string>> = {
  webhook: 'data',
  'chat-input': 'message',
  'api-request': 'body',
  'language-model': 'text',
  parser: 'parsed_text',
  prompt: 'prompt',
  'if-else': 'true',
  merge: 'data'
}

function outputOf({ id, type }: Node): string {
  return `${id}.${OUTPUTS[type]}`
}

function inputsOf({ id, type }: Node): string[] {
  const inputs: Readonly<Record<string, readonly string[]>> = {
    'chat-output': ['text'],
    'language-model': ['text'],
    'split-text': ['text'],
    prompt: ['name'],
    merge: ['in_1'],
    join: ['left', 'right'],
    'for-each': ['items']
  }
  return (inputs[type] ?? ['data']).map((input) => `${id}.${input}`)
}

function diagnosis(env: Readonly<Record<string, string>>) {
  const configuration = () => readConfig(env, () => '')
  return examine({ configuration, node: process.versions.node, now: Date.now })
}
