import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import {
  type AnyPlugin,
  contextNameOf,
  isSharedPlugin,
  nameAnonymous,
  pluginName,
  share
} from './share-plugin.ts'

const SKIP_OVERRIDE = Symbol.for('skip-override')

/** What of the decorators a root sees after it registered the plugin. */
async function seenByRoot(plugin: AnyPlugin, ...names: string[]): Promise<boolean[]> {
  const app = Fastify()
  app.register(plugin as Parameters<FastifyInstance['register']>[0])
  await app.ready()
  const seen = names.map((name) => app.hasDecorator(name))
  await app.close()
  return seen
}

describe('sharing a plugin', () => {
  it('makes it register into its parent, and leaves the function itself as it is', async () => {
    async function db(app: FastifyInstance) {
      app.decorate('db', 1)
    }
    const before = Reflect.ownKeys(db)
    const shared = share(db)
    assert.notEqual(shared, db)
    assert.deepEqual(Reflect.ownKeys(db), before)
    assert.deepEqual([isSharedPlugin(shared), isSharedPlugin(db)], [true, false])
    assert.deepEqual(await seenByRoot(shared, 'db'), [true])
    assert.deepEqual(await seenByRoot(db, 'db'), [false])
  })

  it('goes one level up: what a shared plugin registers bare has a context of its own', async () => {
    async function inner(app: FastifyInstance) {
      app.decorate('inner', 1)
    }
    async function outer(app: FastifyInstance) {
      app.decorate('outer', 1)
      app.register(inner)
    }
    assert.deepEqual(await seenByRoot(share(outer), 'outer', 'inner'), [true, false])
  })

  it('can be done twice, and to what is shared already', async () => {
    async function db(app: FastifyInstance) {
      app.decorate('db', 1)
    }
    assert.deepEqual(await seenByRoot(share(share(db)), 'db'), [true])
    assert.deepEqual(await seenByRoot(share(fastifyPlugin(db, { name: 'database' })), 'db'), [true])
    assert.equal(pluginName(share(fastifyPlugin(db, { name: 'database' }))), 'database')
  })

  it('asks for a name', () => {
    const anonymous = (() => async () => {})()
    assert.throws(() => share(anonymous), /takes a named function/)
    for (const nothing of [undefined, null, 'db', {}]) {
      assert.throws(() => share(nothing as unknown as AnyPlugin), /takes a named function/)
    }
  })

  it('keeps the name and the number of parameters: by that, Fastify knows who takes a callback', async () => {
    function db(app: FastifyInstance, _options: object, done: () => void) {
      app.decorate('db', 1)
      setImmediate(done)
    }
    const shared = share(db)
    assert.deepEqual([shared.name, shared.length, pluginName(shared)], ['db', 3, 'db'])
    assert.deepEqual(await seenByRoot(shared, 'db'), [true])
    for (const plugin of [async function none() {}, async function one(_a: unknown) {}]) {
      assert.equal(share(plugin).length, plugin.length)
    }
  })

  it('passes on what the plugin gets and returns', () => {
    const got: unknown[] = []
    function plugin(...args: unknown[]) {
      got.push(...args)
      return 'returned'
    }
    assert.equal(share(plugin)(1, 2, 3), 'returned')
    assert.deepEqual(got, [1, 2, 3])
  })
})

describe('a shared plugin', () => {
  it('is also one that fastify-plugin wrapped, or one with the bare symbol', () => {
    assert.ok(isSharedPlugin(fastifyPlugin(async () => {})))
    assert.ok(isSharedPlugin(Object.assign(async () => {}, { [SKIP_OVERRIDE]: true })))
    assert.ok(!isSharedPlugin(fastifyPlugin(async () => {}, { encapsulate: true })))
    assert.ok(!isSharedPlugin(Object.assign(async () => {}, { [SKIP_OVERRIDE]: false })))
  })
})

describe('the name of a plugin', () => {
  it('is what it calls itself, else its function’s', () => {
    assert.equal(
      pluginName(async function sales() {}),
      'sales'
    )
    assert.equal(pluginName(fastifyPlugin(async () => {}, { name: '@acme/sales' })), '@acme/sales')
  })

  it('is its file’s where it has none, also for a default export', () => {
    const anonymous = (() => () => {})()
    const { default: exported } = { default: () => {} }
    for (const plugin of [anonymous, exported]) {
      const named = nameAnonymous(plugin, 'my-plugin.ts')
      assert.equal(pluginName(named), 'my-plugin')
      assert.equal(pluginName(plugin), plugin.name, 'the function is as it was')
    }
    async function sales() {}
    assert.equal(nameAnonymous(sales, 'other.ts'), sales)
  })

  it('leaves an anonymous plugin shared, and with the parameters that it has', () => {
    const marked = Object.assign((_a: unknown, _b: unknown, _done: unknown) => {}, { [SKIP_OVERRIDE]: true })
    Object.defineProperty(marked, 'name', { value: '' })
    const named = nameAnonymous(marked, 'a.mjs')
    assert.deepEqual([isSharedPlugin(named), named.length, pluginName(named)], [true, 3, 'a'])
  })

  it('is made fit for a path where a context is called after it', () => {
    assert.equal(contextNameOf(fastifyPlugin(async () => {}, { name: '@acme/sales.v2' })), 'sales-v2')
    assert.equal(contextNameOf((() => () => {})()), 'plugin')
  })
})
