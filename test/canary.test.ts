import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { backUp } from '../src/cli/back-up.ts'
import { examine } from '../src/cli/doctor.ts'
import { builtInComponents } from '../src/components/built-in.ts'
import { CONNECTION_KINDS } from '../src/connections/kinds/kinds.ts'
import { readConfig } from '../src/startup/config.ts'
import type { RunBody } from './support/api-client.ts'
import { assertClean, CANARY } from './support/canary/canary-secrets.ts'
import { type Node, playOutside } from './support/canary/play-outside.ts'
import { collectEvents, readEverything, rowsOf } from './support/canary/read-everything.ts'
import { sharedPostgres } from './support/postgres.ts'
import { readFolder } from './support/read-folder.ts'
import { startService, temporaryFolder } from './support/service.ts'

/**
 * Plants a secret in every kind of connection, lets every component succeed and fail with peers that say again what they
 * were told, and looks for it in all that anybody can read afterwards. A component or a kind that is not played here fails
 * the test: whoever adds one adds it below.
 */
const postgres = sharedPostgres()

/** Steps of these cannot fail: what they are asked is refused before there is a run. */
const NEVER_FAIL = [
  // It never runs.
  'placeholder',
  'webhook',
  'chat-input',
  'chat-output',
  'return',
  'schedule',
  'run-failed',
  'watch',
  'form'
]
/** It is there to fail. */
const ALWAYS_FAIL = ['stop', 'placeholder']

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
    contents: async (home) => readFolder(home)
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
        .flatMap((node, index) => [
          ...inputsOf(node, nodes[index]!).map((to) => ({ from: outputOf(nodes[index]!), to })),
          ...(node.type === 'repeat' ? [{ from: `${node.id}.data`, to: `${node.id}.next` }] : [])
        ])
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

    await t.test('Schedule, Run failed, Watch and Form', async () => {
      for (const type of ['schedule', 'run-failed', 'form']) await play([{ id: 's', type }], 'succeeded', {})
      const fields = { url: 'https://news.example/feed', every: '365d' }
      await play([{ id: 's', type: 'watch', fields }], 'succeeded', {})
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

    await t.test('Respond', async () => {
      const respond = (body: string) => ({ id: 'l', type: 'respond', fields: { body } })
      await play([webhook, respond('Hello {name}')], 'succeeded', { name: 'Ann' })
      await play([webhook, respond('{absent}')], 'failed', { name: 'Ann' })
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
        ['batch', { size: 1 }, { field: 'absent' }],
        ['convert', { mode: 'Data to JSON' }, { mode: 'JSON to data' }],
        ['date', { date: '2026-11-17' }, { date: '{name}' }],
        ['hash', { text: '{name}' }, { text: '{absent}' }]
      ]
      for (const [type, good, bad] of played) {
        await play([webhook, { id: 'l', type, fields: good }], 'succeeded', rows)
        await play([webhook, { id: 'l', type, fields: bad }], 'failed', rows)
      }
      for (const type of ['html', 'extract-text']) {
        await play([chat, { id: 'l', type }], 'succeeded', '<h1>Ann</h1>')
        await play([webhook, { id: 'l', type }], 'failed', rows)
      }
      const split = { id: 'l', type: 'split-text' }
      await play([chat, split], 'succeeded', 'a,b')
      const id = (as: string) => ({ id: 'l', type: 'random-id', fields: { as } })
      await play([chat, id('')], 'succeeded', 'a')
      await play([chat, id('number')], 'failed', 'a')
      await play([webhook, { id: 'm', type: 'merge', fields: { mode: 'List' } }, split], 'failed', rows)
    })

    await t.test('For each, Repeat and Run flow', async () => {
      const each = { id: 'l', type: 'for-each' }
      await play([webhook, each], 'succeeded', [{ name: 'Ann' }])
      await play([webhook, each], 'failed', { name: 'Ann' })
      const again = (until: string) => ({ id: 'l', type: 'repeat', fields: { until } })
      await play([webhook, again('true')], 'succeeded', { name: 'Ann' })
      await play([webhook, again('data.absent')], 'failed', { name: 'Ann' })
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

    await playOutside(t, { call, plant, play }, () => postgres.database())

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
    texts.push(...(await events.end()))
    if (env.DATABASE_URL === undefined) {
      const file = join(await temporaryFolder(t), 'backup.db')
      const config = { home: service.home, database: null, secretKey: null, files: null }
      texts.push(await backUp(config, file, '/'))
      assertClean(readFileSync(file), 'the backup')
    }
    await service.stop()
    // All at once: they are ten thousand, and each is looked through for a hundred ways to write a secret.
    assertClean(Buffer.from([...texts, ...logs].join('\n')), 'what was answered, logged and told')
    const contents = await store.contents(service.home, env)
    assert.ok(
      [...contents.values()].some((bytes) => bytes.includes('deaf mysql')),
      'the store was looked at'
    )
    for (const [name, bytes] of contents) assertClean(bytes, name)
  })

const OUTPUTS: Readonly<Record<string, string>> = {
  webhook: 'data',
  'chat-input': 'message',
  'api-request': 'body',
  'api-operation': 'body',
  'language-model': 'text',
  agent: 'text',
  'mcp-tools': 'tools',
  parser: 'parsed_text',
  prompt: 'prompt',
  'if-else': 'true',
  merge: 'data'
}

function outputOf({ id, type }: Node): string {
  return `${id}.${OUTPUTS[type]}`
}

function inputsOf({ id, type }: Node, before: Node): string[] {
  if (before.type === 'mcp-tools') return [`${id}.tools`]
  const inputs: Readonly<Record<string, readonly string[]>> = {
    'chat-output': ['text'],
    'language-model': ['text'],
    agent: ['text'],
    'split-text': ['text'],
    'extract-text': ['file'],
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
