import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { problemOf } from './support/api-client.ts'
import { ROOT, startService, temporaryFolder } from './support/service.ts'

interface ComponentBody {
  readonly type: string
  readonly title: string
  readonly context: string
  readonly keywords: readonly string[]
  readonly example: string | null
  readonly fields: Record<string, { kind: string; title: string; [more: string]: unknown }>
  readonly inputs: Record<string, { title: string; type: string }>
  readonly outputs: Record<string, { title: string; type: string }>
}

/** The core components as the contract has them: fields, inputs and outputs. */
const CORE: Record<string, [title: string, fields: string[], inputs: string[], outputs: string[]]> = {
  webhook: ['Webhook', ['endpoint', 'curl', 'auth'], [], ['data', 'request']],
  parser: ['Parser', ['mode', 'template', 'separator'], ['data'], ['parsed_text']],
  'chat-input': ['Chat Input', ['text', 'session'], ['text', 'data'], ['message', 'files']],
  'chat-output': ['Chat Output', ['session'], ['text'], ['message']],
  prompt: ['Prompt', ['template'], [], ['prompt']]
}

describe('the catalogue', () => {
  it('has the core components with their fields and ports', async (t) => {
    const service = await startService(t)
    const answer = await service.get('/api/v1/components?context=/')
    assert.equal(answer.status, 200)
    const { components } = answer.json<{ components: ComponentBody[] }>()
    for (const [type, [title, fields, inputs, outputs]] of Object.entries(CORE)) {
      const component = components.find((candidate) => candidate.type === type)!
      assert.equal(component.title, title)
      assert.equal(component.context, '/')
      for (const field of fields) assert.ok(component.fields[field]!.kind !== '', `${type}.${field}`)
      assert.deepEqual(Object.keys(component.inputs), inputs, type)
      assert.deepEqual(Object.keys(component.outputs), outputs, type)
    }
    const { webhook, parser } = Object.fromEntries(components.map((component) => [component.type, component]))
    assert.ok(webhook!.keywords.includes('endpoint') && webhook!.example !== null)
    assert.equal(webhook!.fields.curl!.hidden, true)
    assert.equal(webhook!.fields.endpoint!.copy, true)
    assert.deepEqual(webhook!.fields.auth!.choices, ['API key', 'Signature', 'Token', 'Basic', 'None'])
    assert.equal(webhook!.fields.auth!.default, 'API key')
    assert.deepEqual(parser!.fields.mode!.choices, ['Parser', 'Stringify'])
    assert.deepEqual((await service.get('/api/v1/components')).json(), answer.json(), 'the root is meant')
    problemOf(await service.get('/api/v1/components?context=/absent'), 404, 'context_not_found')
  })

  it('is of contexts, which are a tree with a root', async (t) => {
    const service = await startService(t)
    const answer = await service.get('/api/v1/contexts')
    assert.equal(answer.status, 200)
    assert.ok(answer.text.includes('"/"'), answer.text)
  })
})

describe('MILLRACE_PLUGINS', () => {
  it('names files, from the working directory or the root of the disk, and they bring components', async (t) => {
    const folder = await temporaryFolder(t)
    const greet = join(folder, 'greet.mjs')
    await writeFile(
      greet,
      `async function greet (context) {
        context.component({
          type: 'greet', title: 'Greet', effects: 'pure',
          fields: { greeting: { kind: 'text', title: 'Greeting', default: 'Hello' } },
          inputs: { data: { title: 'Data', type: 'data' } },
          outputs: { text: { title: 'Text', type: 'text' } },
          run: ({ inputs, fields }) => ({ text: fields.greeting + ' ' + inputs.data.name })
        })
      }
      export default Object.assign(greet, { [Symbol.for('skip-override')]: true })`
    )
    const paths = [` ./${relative(ROOT, join(ROOT, 'test/plugins/call.ts'))}`, greet, '']
    const service = await startService(t, { env: { MILLRACE_PLUGINS: paths.join(' , ') } })
    const { components } = (await service.get('/api/v1/components')).json<{ components: ComponentBody[] }>()
    assert.ok(components.some(({ type }) => type === 'greet'))
    const flow = await service.createFlow({
      name: 'Greetings',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 'g', type: 'greet', fields: { greeting: 'Hi' } },
        { id: 'o', type: 'chat-output' }
      ],
      edges: [
        { from: 'w.data', to: 'g.data' },
        { from: 'g.text', to: 'o.text' }
      ]
    })
    const run = await service.run(flow.slug, '{"name":"Ann"}')
    assert.equal(run.status, 'succeeded', run.error?.message)
    assert.deepEqual(run.steps[1]!.outputs, { text: 'Hi Ann' })
  })

  const FAULTY: [title: string, source: string, says: RegExp][] = [
    ['throws', "export default () => { throw new Error('no licence') }", /no licence/],
    ['rejects', "export default async () => { throw new Error('no network') }", /no network/],
    ['says more than one line', "export default () => { throw new Error('two\\n  lines') }", /two lines/],
    ['exports no function', 'export const plugin = 1', /default export/],
    ['does not parse', 'export default function (context) {{{', /./],
    [
      'doubles a type',
      "export default (c) => c.component({ type: 'a', title: 'A', run() {} }, c.component({ type: 'a', title: 'A', run() {} }))",
      /"a"/
    ],
    ['has no title', "export default (c) => c.component({ type: 'b', run() {} })", /title/],
    [
      'names a type as nobody may',
      "export default (c) => c.component({ type: 'A B', title: 'P', run() {} })",
      /A B/
    ]
  ]
  for (const [title, source, says] of FAULTY) {
    it(`stops the start where a plugin ${title}, with its name, its context and the cause`, async (t) => {
      const path = join(await temporaryFolder(t), 'faulty.ts')
      await writeFile(path, source)
      await assert.rejects(
        startService(t, { env: { MILLRACE_PLUGINS: path } }),
        (error: Error & { code: string }) => {
          assert.equal(error.code, 'plugin_failed', error.stack)
          assert.match(error.message, /faulty/)
          assert.match(error.message, /context "?\//)
          assert.match(error.message, says)
          assert.ok(!error.message.includes('\n'), 'it is one line')
          return true
        }
      )
    })
  }

  it('names file and line of what cannot be read as code, also in what a plugin imports', async (t) => {
    const folder = await temporaryFolder(t)
    const fault = 'export default async function bad () {\n  const n = = 3\n}'
    const files = {
      'bad.mjs': fault,
      'doubled.ts': 'export default async function doubled () {\n  let a: number = 1\n  let a = 2\n}',
      'package.json': '{"type":"module"}',
      'bad.js': fault,
      'outer.mjs': `import bad from './bad.mjs'\nexport default bad`,
      'later.mjs': `export default async function later (context) { context.register(import('./outer.mjs')) }`,
      'awaits.mjs': `export default async function awaits (context) { await import('./bad.js') }`
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const rows: [name: string, begins: string, place: string][] = [
      ['bad.mjs', `Plugin "${join(folder, 'bad.mjs')}" failed to load in context "/": `, 'bad.mjs:2'],
      ['bad.js', `Plugin "${join(folder, 'bad.js')}" failed to load in context "/": `, 'bad.js:2'],
      [
        'doubled.ts',
        `Plugin "${join(folder, 'doubled.ts')}" failed to load in context "/": `,
        'doubled.ts:3'
      ],
      ['outer.mjs', `Plugin "${join(folder, 'outer.mjs')}" failed to load in context "/": `, 'bad.mjs:2'],
      ['later.mjs', 'Plugin "later" failed to load in context "/later": ', 'bad.mjs:2'],
      ['awaits.mjs', 'Plugin "awaits" failed to load in context "/awaits": ', 'bad.js:2']
    ]
    for (const [name, begins, place] of rows) {
      await assert.rejects(
        startService(t, { env: { MILLRACE_PLUGINS: join(folder, name) } }),
        (error: Error) => {
          assert.ok(error.message.startsWith(begins), error.message)
          assert.ok(error.message.endsWith(` (at ${join(folder, place)})`), error.message)
          return true
        }
      )
    }
  })

  it('names a folder too, which stands for the index.js in it', async (t) => {
    const folder = await temporaryFolder(t)
    await writeFile(join(folder, 'package.json'), '{"type":"module","exports":"./index.js"}')
    await writeFile(join(folder, 'index.js'), 'export default async function till () {}')
    const service = await startService(t, { env: { MILLRACE_PLUGINS: folder } })
    const { contexts } = (await service.get('/api/v1/contexts')).json<{ contexts: { path: string }[] }>()
    assert.ok(contexts.some(({ path }) => path === '/till'))
  })

  it('has share and fastify-plugin in a file with nothing installed beside it', async (t) => {
    const folder = await temporaryFolder(t)
    const sources: Record<string, string> = {
      'shared.mjs': `import { share } from 'millrace'
        export default share(async function shared (context) { context.decorateRun('one', 1) })`,
      'typed.ts': `import { type Context, share } from 'millrace'
        export default share(async function typed (context: Context) { context.decorateRun('two', 2) })`,
      'fastify.js': `import fp from 'fastify-plugin'
        export default fp(async function three (context) { context.decorateRun('three', 3) })`,
      'required.cjs': `const { share } = require('millrace')
        module.exports = share(async function required (context) { context.decorateRun('four', 4) })`
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const files = Object.keys(sources).map((name) => join(folder, name))
    await Promise.all(Object.values(sources).map((source, at) => writeFile(files[at]!, source)))
    const service = await startService(t, { env: { MILLRACE_PLUGINS: files.join(',') } })
    const { contexts } = (await service.get('/api/v1/contexts')).json<{
      contexts: { path: string; registers: { kind: string; name: string }[] }[]
    }>()
    assert.deepEqual(
      contexts.map(({ path }) => path),
      ['/']
    )
    const names = contexts[0]!.registers.map(({ name }) => name)
    for (const name of ['one', 'two', 'three', 'four']) assert.ok(names.includes(name), name)
  })

  it('finds no other package of Millrace in its file', async (t) => {
    const folder = await temporaryFolder(t)
    const file = join(folder, 'loan.mjs')
    await writeFile(file, "import 'jose'\nexport default async function loan () {}")
    await assert.rejects(startService(t, { env: { MILLRACE_PLUGINS: file } }), /Cannot find package 'jose'/)
  })

  it('says what is wrong with a name that leads nowhere', async (t) => {
    const folder = await temporaryFolder(t)
    const rows: [name: string, says: RegExp][] = [
      ['./plugins/none.ts', /there is no file \S+\/plugins\/none\.ts\. Write its path/],
      [folder, /is a folder, and has no index\.js\. Name the file/],
      ['plugins/sales.ts', /there is no package "plugins\/sales\.ts" in .*begin with \.\/ or \//]
    ]
    for (const [name, says] of rows) {
      await assert.rejects(startService(t, { env: { MILLRACE_PLUGINS: name } }), (error: Error) => {
        assert.match(error.message, says)
        assert.ok(error.message.startsWith(`Plugin "${name}" failed to load in context "/": `), error.message)
        return true
      })
    }
  })

  it('gives a flow whose plugin has gone a run that says so, and leaves all others as they are', async (t) => {
    const service = await startService(t, { plugins: ['call.ts'] })
    const flow = await service.createFlow({
      name: 'Call',
      nodes: [
        { id: 'w', type: 'webhook' },
        { id: 'c', type: 'call', fields: { url: 'http://127.0.0.1:1' } }
      ],
      edges: [{ from: 'w.data', to: 'c.data' }]
    })
    await service.stop()
    const again = await startService(t, { home: service.home })
    const run = await again.run(flow.slug)
    assert.equal(run.status, 'failed')
    assert.equal(run.error!.node, 'c')
    assert.match(run.error!.message, /call/)
    assert.equal((await again.get(`/api/v1/flows/${flow.id}`)).status, 200)
    const body = { ...flow, name: 'Saved again' }
    problemOf(await again.request('PUT', `/api/v1/flows/${flow.id}`, { body }), 422, 'flow_invalid')
    assert.equal((await again.run('orders', '{"order_id":1,"customer":"Ann"}')).status, 'succeeded')
  })
})
