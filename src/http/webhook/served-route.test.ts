import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, it, type TestContext } from 'node:test'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import { ownHook, ServedRoute } from './served-route.ts'

type Done = () => void
const pass = (_request: unknown, _reply: unknown, done: Done) => done()
const own = () => ownHook((_request: unknown, _reply: unknown, done: Done) => done())

const OPTIONS: RouteOptions = {
  method: 'POST',
  url: '/hook/:flow',
  bodyLimit: 1000,
  config: {},
  schema: { params: { type: 'object', properties: { flow: { type: 'string' } } } },
  onRequest: (_request, _reply, done) => done(),
  handler: async () => 'served'
}

/** The route in a scope below `prepare`, when everything is loaded. */
async function served(t: TestContext, prepare: (instance: FastifyInstance) => void): Promise<ServedRoute> {
  const app = Fastify() as unknown as FastifyInstance
  t.after(() => app.close())
  let route: ServedRoute | undefined
  app.register(async (parent) => {
    prepare(parent as unknown as FastifyInstance)
    parent.register(async (scope) => {
      scope.addHook('preHandler', own())
      route = new ServedRoute(scope as unknown as FastifyInstance, OPTIONS)
    })
  })
  await app.ready()
  return route!
}

/** Changes the options of routes, as plugins do that put something on every one. */
const onRoute = (change: (route: RouteOptions) => void) => (parent: FastifyInstance) => {
  parent.addHook('onRoute', change)
}

describe('a served route', () => {
  it('is not guarded by what is marked as own, nor by what only describes', async (t) => {
    const route = await served(t, (parent) => {
      parent.addHook('onRequest', own())
      parent.addHook('onReady', async () => {})
      parent.addHook('onRoute', (route) => {
        route.config = { ...route.config }
        route.schema = { ...route.schema, summary: 'A hook' } as NonNullable<RouteOptions['schema']>
        route.logLevel = 'warn'
      })
      parent.decorateRequest('answer', 42)
    })
    assert.deepEqual([route.isGuarded, route.isGuardedLater], [false, false])
  })

  const outside = AsyncLocalStorage.snapshot()
  const guards: Record<string, [later: boolean, prepare: (parent: FastifyInstance) => void]> = {
    'a hook of an ancestor': [false, (parent) => parent.addHook('onRequest', pass)],
    'a hook that waits for the body': [true, (parent) => parent.addHook('preHandler', pass)],
    'a hook that looks at answers': [false, (parent) => parent.addHook('onResponse', pass)],
    'a hook of nobody knows whom': [false, (parent) => outside(() => parent.addHook('onRequest', pass))],
    'a hook put on the route': [
      true,
      onRoute((route) => {
        route.onRequest = [route.onRequest!, pass].flat()
      })
    ],
    'a hook of another kind put on the route': [
      true,
      onRoute((route) => {
        route.preHandler = pass
      })
    ],
    'another handler': [
      true,
      onRoute((route) => {
        route.handler = async () => 'refused'
      })
    ],
    'a constraint': [
      true,
      onRoute((route) => {
        route.constraints = { host: 'inside.test' }
      })
    ],
    'a smaller limit': [
      true,
      onRoute((route) => {
        route.bodyLimit = 10
      })
    ],
    'a schema of headers, written into the one that was given': [
      true,
      onRoute((route) => {
        Object.assign(route.schema!, { headers: { type: 'object', required: ['x-token'] } })
      })
    ],
    'the lack of its own hook': [true, onRoute((route) => Reflect.deleteProperty(route, 'onRequest'))]
  }
  for (const [name, [later, prepare]] of Object.entries(guards)) {
    it(`is guarded by ${name}`, async (t) => {
      const route = await served(t, prepare)
      assert.deepEqual([route.isGuarded, route.isGuardedLater], [true, later])
    })
  }
})
