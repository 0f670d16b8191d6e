import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  type ContextBody,
  component,
  contextAt,
  contextsOf,
  pathsOf,
  startFailure,
  startWith
} from './support/contexts.ts'
import { ROOT } from './support/service.ts'

const FASTIFY_PLUGIN = pathToFileURL(join(ROOT, 'node_modules/fastify-plugin/index.js')).href
const MILLRACE = pathToFileURL(join(ROOT, 'src/millrace.ts')).href
function typesIn({ registers }: ContextBody): string[] {
  return registers
    .filter(({ kind, owner }) => kind === 'component' && owner !== 'millrace')
    .map(({ name }) => name)
}

/** `path: types of its own components`, for all contexts. */
async function tree(t: TestContext, plugins: Record<string, string>): Promise<Record<string, string[]>> {
  const contexts = await contextsOf(await startWith(t, plugins))
  return Object.fromEntries(contexts.map((context) => [context.path, typesIn(context)]))
}

describe('register', () => {
  it('forks a context, called as the options say or like the function', async (t) => {
    const source = `export default async function sales (context) {
      context.${component('a')}
      context.register(async function europe (c) { c.${component('b')} }, { context: 'eu' })
      context.register(async function us (c) { c.${component('c')} })
      context.register(async (c) => c.${component('d')})
    }`
    assert.deepEqual(await tree(t, { 'plugin.ts': source }), {
      '/': [],
      '/sales': ['a'],
      '/sales/eu': ['b'],
      '/sales/plugin': ['d'],
      '/sales/us': ['c']
    })
  })

  it('calls an anonymous default export after its file', async (t) => {
    const sources = {
      'my shop.ts': `export default async (context) => context.${component('a')}`,
      'till.mjs': `export default function (context, options, done) { context.${component('b')}; done() }`
    }
    assert.deepEqual(await tree(t, sources), { '/': [], '/my-shop': ['a'], '/till': ['b'] })
  })

  it('gives two plugins of one name a context each', async (t) => {
    const sources = {
      'one.ts': `export default async function sales (context) { context.${component('a')} }`,
      'two.ts': `export default async function sales (context) {
        context.${component('a')}
        for (const type of ['b', 'c']) context.register(async function eu (c) { c.component({ type, title: 'T', run () {} }) })
      }`
    }
    assert.deepEqual(await tree(t, sources), {
      '/': [],
      '/sales': ['a'],
      '/sales-2': ['a'],
      '/sales-2/eu': ['b'],
      '/sales-2/eu-2': ['c']
    })
  })

  it('takes plugins by callback, and children that nobody waits for', async (t) => {
    const source = `export default function sales (context, options, done) {
      context.register(function eu (c, o, next) {
        c.register(async function west (w) { await new Promise(setImmediate); w.${component('a')} })
        setImmediate(() => { c.${component('b')}; next() })
      })
      context.${component('c')}
      setImmediate(done)
    }`
    assert.deepEqual(await tree(t, { 'plugin.ts': source }), {
      '/': [],
      '/sales': ['c'],
      '/sales/eu': ['b'],
      '/sales/eu/west': ['a']
    })
  })

  it('sees to it that the API’s flows can live in every one of them', async (t) => {
    const source = `export default async function sales (context) { context.register(async function eu () {}) }`
    const service = await startWith(t, { 'plugin.ts': source })
    for (const context of await pathsOf(service)) {
      const flow = await service.createFlow({
        name: `In ${context}`,
        context,
        nodes: [{ id: 'w', type: 'webhook' }]
      })
      assert.equal((await service.webhook(flow.id)).status, 202)
      assert.deepEqual((await contextAt(service, context)).flows.at(-1), { id: flow.id, slug: flow.slug })
    }
  })
})

describe('a shared plugin', () => {
  const WRAPPERS: Record<string, string> = {
    'share()': `import { share } from '${MILLRACE}'; export default share(greet)`,
    'fastify-plugin': `import fp from '${FASTIFY_PLUGIN}'; export default fp(greet, { name: 'greet' })`,
    'the bare symbol': `export default Object.assign(greet, { [Symbol.for('skip-override')]: true })`
  }
  for (const [wrapper, exported] of Object.entries(WRAPPERS)) {
    it(`by ${wrapper} registers into its parent, one level up`, async (t) => {
      const source = `${exported}
        async function greet (context) {
          context.${component('a')}
          context.register(async function inner (c) { c.${component('b')} })
        }`
      const service = await startWith(t, { 'greet.ts': source })
      assert.deepEqual(await pathsOf(service), ['/', '/inner'])
      const root = await contextAt(service, '/')
      assert.deepEqual(typesIn(root), ['a'])
      assert.equal(root.registers.find(({ name }) => name === 'a')!.owner, 'greet')
      assert.deepEqual(typesIn(await contextAt(service, '/inner')), ['b'])
    })

    it(`by ${wrapper} inside another is its parent’s, and no further`, async (t) => {
      const shared = exported.replace('export default', 'const shared =')
      const source = `${shared}
        async function greet (context) { context.${component('a')} }
        export default async function sales (context) { context.register(shared) }`
      assert.deepEqual(await tree(t, { 'sales.ts': source }), { '/': [], '/sales': ['a'] })
    })

    it(`by ${wrapper} has no context, so a prefix or a context for it is refused`, async (t) => {
      for (const option of ['prefix', 'context']) {
        const shared = exported.replace('export default', 'const shared =')
        const source = `${shared}
          async function greet () {}
          export default async function sales (context) { context.register(shared, { ${option}: 'x' }) }`
        const said = await startFailure(t, { 'sales.ts': source })
        assert.match(said, /^Plugin "sales" failed to load in context "\/sales": greet\S* is shared/)
        assert.match(
          said,
          new RegExp(`"${option}" has no effect\\. Drop the option, or register it bare\\.$`)
        )
      }
    })
  }

  it('is not one that fastify-plugin encapsulates', async (t) => {
    const source = `import fp from '${FASTIFY_PLUGIN}'
      export default fp(async (c) => c.${component('a')}, { name: '@acme/till', encapsulate: true })`
    assert.deepEqual(await tree(t, { 'x.ts': source }), { '/': [], '/till': ['a'] })
  })
})

describe('a double in one context is refused, with both registrants named', () => {
  const CALLS: Record<string, string> = {
    component: component('twice'),
    decoration: `decorateRun('twice', 1)`,
    variable: `variable('twice', 1)`,
    decorator: `decorate('twice', 1)`
  }
  for (const [kind, call] of Object.entries(CALLS)) {
    it(kind, async (t) => {
      const shared = (name: string) => `async function ${name} (context) {
          context.${call}
        }
        export default Object.assign(${name}, { [Symbol.for('skip-override')]: true })`
      const said = await startFailure(t, { 'first.ts': shared('first'), 'second.ts': shared('second') })
      assert.match(said, /^Plugin "second" failed to load in context "\/": second cannot register the /)
      assert.match(
        said,
        new RegExp(`the ${kind} "twice" in /: it is registered by first in / at \\S+/first\\.ts:2 already`)
      )
      assert.match(said, /already, and again at \S+\/second\.ts:2\. Give /)
    })
  }

  it('request decorator, against one of an ancestor too, as Fastify has it', async (t) => {
    const source = `export default async function sales (context) {
      context.decorateRequest('twice', 1)
      context.register(async function eu (c) { c.decorateRequest('twice', 2) })
    }`
    const said = await startFailure(t, { 'sales.ts': source })
    assert.match(
      said,
      /^Plugin "eu" failed to load in context "\/sales\/eu": eu cannot register the decorator "request\.twice"/
    )
    assert.match(said, /it is registered by sales in \/sales at \S+sales\.ts:2 already/)
  })

  it('route, wherever the two stand, also against one of the API', async (t) => {
    const brings = (name: string, call: string) => `export default async function ${name} (context) {
      context.${call}
    }`
    const said = await startFailure(t, {
      'first.ts': brings('first', `route({ method: ['GET', 'PUT'], url: '/same', handler: async () => 1 })`),
      'second.ts': brings('second', `put('/same', async () => 2)`)
    })
    assert.match(
      said,
      /^Plugin "second" failed to load in context "\/second": second cannot register the route/
    )
    assert.match(said, /"PUT \/same": it is registered by first in \/first at \S+first\.ts:2 already/)
    const own: [call: string, route: string][] = [
      [`get('/api/v1/flows', async () => [])`, 'GET /api/v1/flows'],
      [`get('/api/v1/contexts', async () => [])`, 'GET /api/v1/contexts'],
      [`post('/api/v1/webhook/:flow', async () => 1)`, 'POST /api/v1/webhook/:flow'],
      [`post('/v1/webhook/:name', async () => 1)`, 'POST /v1/webhook/:flow'],
      [`all('/api/v1/webhook/:flow', async () => 1)`, 'GET /api/v1/webhook/:flow']
    ]
    for (const [call, route] of own) {
      const told = await startFailure(t, { 'first.ts': brings('first', call) })
      const cause = `it registers the route "${route}" (at `
      assert.ok(told.startsWith(`Plugin "first" failed to load in context "/first": ${cause}`), told)
      assert.match(told, /first\.ts:2\), which is one of Millrace\. Give it another address\.$/)
    }
  })

  it('route of nobody knows whom, in one line too', async (t) => {
    const source = `import { AsyncLocalStorage } from 'node:async_hooks'
    const outside = AsyncLocalStorage.snapshot()
    export default async function first (context) {
      outside(() => context.post('/api/v1/webhook/:flow', async () => 1))
    }`
    await assert.rejects(startWith(t, { 'first.ts': source }), {
      code: 'registration_refused',
      message:
        'millrace cannot register the route "POST /api/v1/webhook/:flow": Millrace, the host application or another plugin has it already. Give it another address.'
    })
  })

  it('and is none in two contexts, nor for hooks', async (t) => {
    const source = (name: string) => `export default async function ${name} (context) {
      for (const each of [1, 2]) context.addRunHook('onRunStart', () => {})
      context.${component('same')}
      context.${CALLS.decoration}
      context.${CALLS.variable}
      context.${CALLS.decorator}
    }`
    const found = await tree(t, { 'one.ts': source('one'), 'two.ts': source('two') })
    assert.deepEqual(found, { '/': [], '/one': ['same'], '/two': ['same'] })
  })
})
