import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CHILD_KEY, spawnService } from './support/child-service.ts'
import { flowIn, pluginFiles, startFailure, startWith } from './support/contexts.ts'

describe('a plugin that fails while it loads', { concurrency: 2 }, () => {
  const FAILURES: [how: string, source: string, line: RegExp][] = [
    [
      'throws at once',
      `export default function sales () { throw new Error('no licence\\n  for this') }`,
      /Plugin "sales" failed to load in context "\/sales": no licence for this/
    ],
    [
      'rejects',
      `export default async function sales () { await null; throw new Error('no network') }`,
      /Plugin "sales" failed to load in context "\/sales": no network/
    ],
    [
      'rejects in a child that nobody waits for',
      `export default async function sales (context) {
        context.register(async function eu () { throw new Error('no map') }, { context: 'europe' })
      }`,
      /Plugin "eu" failed to load in context "\/sales\/europe": no map/
    ],
    [
      'calls back with an error, in a shared plugin of another',
      `function till (context, options, done) { setImmediate(done, new Error('no coins')) }
       till[Symbol.for('skip-override')] = true
       export default function sales (context, options, done) { context.register(till); done() }`,
      /Plugin "till" failed to load in context "\/sales": no coins/
    ],
    [
      'rejects although it takes a callback',
      `export default async function sales (context, options, done) { throw new Error('no manners') }`,
      /Plugin "sales" failed to load in context "\/sales": no manners/
    ],
    [
      'fails when all is ready',
      `export default async function sales (context) {
        context.addHook('onReady', async () => { throw new Error('no stock') })
      }`,
      /Plugin "sales" failed to load in context "\/sales": no stock/
    ],
    [
      'calls what is not there',
      `export default async function sales (context) {
        context.compnent({})
      }`,
      /Plugin "sales" failed to load in context "\/sales": context\.compnent is not a function \(at \S+sales\.ts:2\)/
    ],
    [
      'cannot be read as code',
      `export default async function sales (context) {
        const x: = 3
      }`,
      /Plugin "\S+sales\.ts" failed to load in context "\/": .+ \(at \S+sales\.ts:2\)/
    ]
  ]
  for (const [how, source, line] of FAILURES) {
    it(`because it ${how} is named in one line, with its context and the cause`, async (t) => {
      assert.match(await startFailure(t, { 'sales.ts': source }), new RegExp(`^${line.source}$`))
    })
  }

  const IN_ITS_PROCESS: typeof FAILURES = [
    FAILURES[0]!,
    [
      'fails in something that it does not wait for',
      `export default async function sales () {
        setTimeout(() => { throw new Error('no time') }, 0)
        await new Promise(() => {})
      }`,
      /Plugin "sales" failed in something that it does not wait for: no time/
    ]
  ]
  for (const [how, source, line] of IN_ITS_PROCESS) {
    it(`because it ${how} stops the start with that line and nothing else`, async (t) => {
      const env = {
        MILLRACE_API_KEY: CHILD_KEY,
        MILLRACE_PLUGINS: await pluginFiles(t, { 'sales.ts': source })
      }
      const service = await spawnService(t, { env })
      assert.deepEqual(await service.ended, { code: 1, signal: null })
      assert.equal(service.stdout, '')
      assert.match(service.stderr, new RegExp(`^Millrace cannot start: ${line.source}\\n$`))
    })
  }
})

describe('a plugin that fails while the service runs', () => {
  it('in a step fails that step, and nothing else', async (t) => {
    const service = await startWith(t, {
      'shaky.ts': `export default async function shaky (context) {
        const throws = { error: () => new Error('broken'), text: () => 'words', nothing: () => undefined }
        context.component({
          type: 'shaky', title: 'Shaky', effects: 'pure', inputs: { data: { title: 'Data', type: 'data' } },
          run: ({ inputs }) => { throw throws[inputs.data.what]() }
        })
        context.component({
          type: 'later', title: 'Later', effects: 'pure', inputs: { data: { title: 'Data', type: 'data' } },
          run: async () => { await null; throw new Error('broken later') }
        })
      }`
    })
    const shaky = await service.createFlow(flowIn('/shaky', { type: 'shaky' }))
    for (const what of ['error', 'text', 'nothing']) {
      const run = await service.run(shaky.slug, JSON.stringify({ what }))
      assert.deepEqual([run.status, run.error!.node], ['failed', 'n'], what)
      assert.equal(run.steps[0]!.status, 'succeeded')
    }
    const later = await service.createFlow({ ...flowIn('/shaky', { type: 'later' }), slug: 'later' })
    assert.match((await service.run(later.slug)).error!.message, /broken later/)
    assert.equal((await service.run('orders', '{"order_id":1,"customer":"Ann"}')).status, 'succeeded')
  })

  it('in something that no step waits for leaves the service running, and tells the log', async (t) => {
    const source = `import { EventEmitter } from 'node:events'
    const ways = {
      rejection: () => { Promise.reject(new Error('lost rejection')) },
      timer: () => { setTimeout(() => { throw new Error('lost timer') }, 0) },
      emitter: () => { setImmediate(() => new EventEmitter().emit('error', new Error('lost emitter'))) },
      hook: () => { throw new Error('lost hook') },
      network: () => { fetch('http://127.0.0.1:1/', { headers: { 'lost network': '' } }) }
    }
    export default async function careless (context) {
      context.addRunHook('onStep', (step, next) => {
        if (step.inputs.data?.way === 'hook') setTimeout(() => next(), 0)
        return step.inputs.data?.way === 'hook' ? {} : next()
      })
      context.component({
        type: 'careless', title: 'Careless', inputs: { data: { title: 'Data', type: 'data' } },
        run: ({ inputs }) => { ways[inputs.data.way]() }
      })
    }`
    const plugins = await pluginFiles(t, { 'careless.ts': source })
    const service = await spawnService(t, { env: { MILLRACE_API_KEY: CHILD_KEY, MILLRACE_PLUGINS: plugins } })
    const client = await service.client(CHILD_KEY)
    const { slug } = await client.createFlow(flowIn('/careless', { type: 'careless' }))
    for (const way of ['rejection', 'timer', 'emitter', 'hook', 'network']) {
      const run = await client.run(slug, JSON.stringify({ way }))
      assert.equal(run.status, 'succeeded', way)
      await service.printed('stderr', new RegExp(`"level":50.*A plugin failed in something.*lost ${way}`))
    }
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
  })

  it('in a hook of Fastify answers 500 without telling why, and the flows of others go on', async (t) => {
    const service = await startWith(t, {
      'shaky.ts': `export default async function shaky (context) {
        context.addHook('onRequest', async () => { throw new Error('the password is secret') })
      }`
    })
    const { slug } = await service.createFlow(flowIn('/shaky'))
    const answer = await service.webhook(slug)
    assert.equal(answer.status, 500)
    assert.doesNotMatch(answer.text, /secret/)
    assert.equal((await service.webhook('orders')).status, 202)
  })
})
