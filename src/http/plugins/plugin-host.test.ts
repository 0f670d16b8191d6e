import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { ContextTree } from '../../contexts/context-tree.ts'
import { type AnyPlugin, share } from '../../contexts/share-plugin.ts'
import { PluginHost } from './plugin-host.ts'

type Context = FastifyInstance
type Next = (error?: Error) => void

/** A tree in which the plugins were registered, one after the other. */
async function load(t: TestContext, plugins: AnyPlugin[], options: FastifyServerOptions = {}) {
  const app = Fastify(options) as unknown as FastifyInstance
  t.after(() => app.close())
  const tree = new ContextTree()
  const forked: string[] = []
  const host = new PluginHost(app, tree, (_instance, path) => forked.push(path), { placeOf: async () => '' })
  for (const plugin of plugins) await host.register(plugin, 'asked-for.ts')
  await app.ready()
  return { tree, forked, app }
}

function component(type: string) {
  return { type, title: type, run: () => ({}) }
}

/** `path: names of its own components`, for all contexts. */
function components(tree: ContextTree): Record<string, string[]> {
  const own = (path: string) => tree.own(path).filter(({ kind }) => kind === 'component')
  return Object.fromEntries(tree.paths().map((path) => [path, own(path).map(({ name }) => name)]))
}

function nameFunction(plugin: AnyPlugin, name: string): void {
  Object.defineProperty(plugin, 'name', { value: name })
}

const brings =
  (type: string): AnyPlugin =>
  async (context: Context) =>
    context.component(component(type))

describe('registering a plugin', () => {
  it('in all the ways of Fastify forks a context: function, promise, module, promise of a module', async (t) => {
    async function sales(context: Context) {
      const named = (name: string) => Object.defineProperty(brings(name), 'name', { value: name })
      context.register(named('a'))
      context.register(Promise.resolve(named('b')) as never)
      context.register({ default: named('c') } as never, { context: 'module' })
      context.register(Promise.resolve({ default: named('d') }) as never, { context: 'promised' })
    }
    const { tree, forked } = await load(t, [sales])
    assert.deepEqual(components(tree), {
      '/': [],
      '/sales': [],
      '/sales/a': ['a'],
      '/sales/b': ['b'],
      '/sales/module': ['c'],
      '/sales/promised': ['d']
    })
    assert.deepEqual(forked, ['/sales', '/sales/a', '/sales/b', '/sales/module', '/sales/promised'])
  })

  it('that turns out to be shared only when it is loaded forks none', async (t) => {
    async function sales(context: Context) {
      context.register(Promise.resolve(fastifyPlugin(brings('a'), { name: 'late' })) as never)
    }
    assert.deepEqual(components((await load(t, [sales])).tree), { '/': [], '/sales': ['a'] })
  })

  it('takes options as an object, as a function of the parent, or none at all', async (t) => {
    const got: unknown[] = []
    async function child(_context: Context, options: { n?: number }) {
      got.push(options.n)
    }
    async function sales(context: Context) {
      context.decorate('n', 7)
      context.register(child, { n: 1 } as never)
      context.register(child, ((parent: { n: number }) => ({ n: parent.n })) as never)
      context.register(child)
      context.register(child, null as never)
    }
    const { tree } = await load(t, [sales])
    assert.deepEqual(got, [1, 7, undefined, undefined])
    assert.deepEqual(
      tree.paths().slice(2),
      [1, 2, 3, 4].map((n) => `/sales/child${n === 1 ? '' : `-${n}`}`)
    )
  })

  it('does not hand its place down with its options', async (t) => {
    async function inner(context: Context) {
      context.component(component('a'))
    }
    async function sales(context: Context, options: object) {
      context.register(inner, { ...options })
      context.register(inner, options)
    }
    const { tree } = await load(t, [sales])
    assert.deepEqual(tree.paths(), ['/', '/sales', '/sales/inner', '/sales/inner-2'])
  })

  it('knows who registers, in `after` too, and after a child that was awaited', async (t) => {
    async function eu(context: Context) {
      context.component(component('of-eu'))
    }
    async function sales(context: Context) {
      context.register(eu).after(() => context.component(component('after')))
      await context.after()
      context.component(component('awaited'))
      const later = (_error: Error | null, done: () => void) => {
        context.component(component('called-back'))
        setImmediate(done)
      }
      // Fastify's types do not know the form that takes a callback.
      context.after(later as () => void)
    }
    const { tree } = await load(t, [sales, share(async function other() {})])
    const owners = tree.own('/sales').map(({ name, owner }) => `${name} ${owner}`)
    assert.deepEqual(owners, ['sales sales', 'after sales', 'awaited sales', 'called-back sales'])
    assert.equal(tree.find('/sales/eu', 'component', 'of-eu')?.owner, 'eu')
  })

  it('says where it was asked for: the line, or for the outermost what named it', async (t) => {
    async function sales(context: Context) {
      context.register(async function eu() {})
    }
    const { tree } = await load(t, [sales])
    assert.equal(tree.facts('/sales').origin.source, 'asked-for.ts')
    assert.equal(tree.own('/sales')[0]!.source, 'asked-for.ts')
  })
})

describe('a plugin that fails', () => {
  const rows: [title: string, plugin: AnyPlugin, says: RegExp][] = [
    [
      'throws',
      () => {
        throw new Error('boom')
      },
      /in context "\/bad": boom/
    ],
    [
      'rejects',
      async () => {
        throw new Error('boom')
      },
      /in context "\/bad": boom/
    ],
    ['calls back with an error', (_c, _o, done: Next) => done(new Error('boom')), /in context "\/bad": boom/],
    [
      'throws and takes a callback',
      (_c, _o, _done: Next) => {
        throw new Error('boom')
      },
      /"\/bad": boom/
    ],
    [
      'is async, takes a callback and rejects',
      async (_c, _o, _done: Next) => {
        throw new Error('boom')
      },
      /"\/bad": boom/
    ],
    [
      'awaits a promise of one that is not there',
      async (c: Context) => {
        c.register(Promise.reject(new Error('no such module')) as never)
      },
      /Plugin "bad" failed to load in context "\/bad": no such module/
    ],
    [
      'registers what is not a plugin',
      async (c: Context) => void c.register(5 as never),
      /must be a function/
    ],
    [
      'throws when all is ready',
      async (c: Context) =>
        void c.addHook('onReady', async () => {
          throw new Error('boom')
        }),
      /"\/bad": boom/
    ],
    [
      'calls back with an error when all is ready',
      async (c: Context) => void c.addHook('onReady', (done) => done(new Error('boom'))),
      /"\/bad": boom/
    ]
  ]
  for (const [title, body, says] of rows) {
    it(`because it ${title} is named, with its context and the cause`, async (t) => {
      const plugin = Object.defineProperty(body, 'name', { value: 'bad' })
      await assert.rejects(load(t, [plugin]), (error: Error & { code: string }) => {
        assert.equal(error.code, 'plugin_failed')
        assert.match(error.message, /^Plugin "bad" failed to load/)
        assert.match(error.message, says)
        return true
      })
    })
  }

  const LACKS: [what: string, meta: object, cause: RegExp][] = [
    ['a plugin', { dependencies: ['absent'] }, /The dependency 'absent' of plugin 'till' is not registered/],
    [
      'a decorator',
      { decorators: { request: ['absent'] } },
      /The decorator 'absent' required by 'till' is not present/
    ],
    ['its version of Fastify', { fastify: '1.x' }, /till - expected '1\.x' fastify version/],
    ['a list of what it needs', { dependencies: 'absent' }, /should be an array of strings/]
  ]
  for (const [what, meta, cause] of LACKS) {
    it(`because it lacks ${what} is named, with its context and the cause`, async (t) => {
      const till = (more: object) =>
        fastifyPlugin(async () => {}, { name: 'till', ...meta, ...more } as object)
      const shared = till({})
      const bare = till({ encapsulate: true })
      const ways: [context: string, plugin: AnyPlugin][] = [
        ['/', shared],
        ['/till', bare],
        ['/sales', async (context: Context) => void context.register(shared)],
        ['/sales/till', async (context: Context) => void context.register(bare)],
        ['/sales/desk', async (context: Context) => void context.register(bare, { context: 'desk' })],
        ['/sales', async (context: Context) => void (await context.register(shared))]
      ]
      for (const [context, plugin] of ways) {
        if (plugin.name !== 'till') nameFunction(plugin, 'sales')
        await assert.rejects(load(t, [plugin]), (error: Error & { code: string }) => {
          assert.equal(error.code, 'plugin_failed', error.stack)
          assert.ok(
            error.message.startsWith(`Plugin "till" failed to load in context "${context}": `),
            error.message
          )
          assert.match(error.message, cause)
          assert.ok(!error.message.includes('\n'), error.message)
          return true
        })
      }
    })
  }

  it('in its metadata does not lend its name to the next one', async (t) => {
    async function sales(context: Context) {
      const till = fastifyPlugin(async () => {}, { name: 'till', dependencies: ['absent'] })
      context.register(till).after((_error) => {})
      context.register(async function eu() {
        throw new Error('boom')
      })
    }
    await assert.rejects(load(t, [sales]), /Plugin "eu" failed to load in context "\/sales\/eu": boom/)
  })

  it('because it takes too long is named too, the innermost', async (t) => {
    async function sales(context: Context) {
      context.register(function never(_context, _options, _done) {})
    }
    await assert.rejects(
      load(t, [sales], { pluginTimeout: 100 }),
      /^MillraceError: Plugin "never" failed to load in context "\/sales\/never": .*did not start in time/
    )
  })

  it('may be let pass by whoever registered it', async (t) => {
    async function sales(context: Context) {
      context
        .register(async function eu() {
          throw new Error('boom')
        })
        .after((error) => context.decorate('told', String(error)))
    }
    const { tree, forked } = await load(t, [sales])
    assert.ok(tree.find('/sales', 'decorator', 'told'))
    assert.deepEqual(forked, ['/sales'], 'nothing is served in a context that is half there')
  })
})

describe('the name that is asked for a context', () => {
  it('is one segment of a path', async (t) => {
    for (const context of ['', 'a/b', '..', 'a b', 'x'.repeat(61), 7 as unknown as string]) {
      async function sales(parent: Context) {
        parent.register(async function eu() {}, { context })
      }
      await assert.rejects(load(t, [sales]), /eu cannot have the context .*Name one segment of a path/)
    }
  })
})
