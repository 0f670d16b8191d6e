import bearerAuth from '@fastify/bearer-auth'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import millrace, { type Context, type RunEnd, type RunView, type Step, share } from 'millrace'
import { expectType } from './expect-type.ts'

/** What a plugin can do with its context, and a host application with Millrace. */
declare const context: Context

// A run hook is typed by its name.
context.addRunHook('onRunStart', (run) => {
  expectType<RunView>()(run)
})
context.addRunHook('onStep', async (step, next) => {
  expectType<Step>()(step)
  expectType<() => unknown>()(next)
  return next()
})
context.addRunHook('onRunEnd', (run, end) => {
  expectType<RunView>()(run)
  expectType<RunEnd>()(end)
  expectType<'succeeded' | 'failed' | 'cancelled'>()(end.status)
})
// @ts-expect-error: there is no such hook
context.addRunHook('onStepEnd', () => undefined)
// @ts-expect-error: a run that starts has no end yet
context.addRunHook('onRunStart', (_run: RunView, _end: RunEnd) => undefined)
// @ts-expect-error: a hook is a function
context.addRunHook('onStep', 'next')

// Decorations can be anything; variables are what a template can print.
context.decorateRun('region', 'eu')
context.decorateRun('crm', { find: (name: string) => name })
context.variable('city', 'Bremen')
context.variable('limit', 5)
// @ts-expect-error: a decoration has a name
context.decorateRun(Symbol('region'), 'eu')
// @ts-expect-error: a list cannot be a variable
context.variable('cities', ['Bremen'])

// A plugin is registered with a name for its context, its own options and Fastify's.
async function eu(_context: Context) {}
async function limited(_context: Context, _options: { limit: number }) {}
function byCallback(_context: Context, _options: object, done: () => void) {
  done()
}
context.register(eu)
context.register(eu, { context: 'eu' })
context.register(limited, { context: 'eu', prefix: '/eu', limit: 5 })
context.register(byCallback, { context: 'eu' })
context.register(share(eu))
context.register(bearerAuth, { keys: ['a key'] })
// @ts-expect-error: the name of a context is text
context.register(limited, { context: 5, limit: 5 })
// @ts-expect-error: the plugin's own option is missing
context.register(limited, { context: 'eu' })

// A context is a Fastify instance, and what it is given everywhere in Fastify is a context.
expectType<true>()(true as Context extends FastifyInstance ? true : false)
context.addHook('onRequest', async (request) => {
  expectType<string>()(request.method)
})
context.get('/sales', async () => 'sales')

// A host application takes Millrace as any plugin.
const app = Fastify()
app.register(millrace, { prefix: '/flows' })
app.register(millrace, {
  prefix: '/flows',
  home: 'data',
  apiKey: 'a key of sixteen',
  plugins: [eu, share(eu)]
})
// @ts-expect-error: a size is a number of bytes
app.register(millrace, { bodyLimit: '1mb' })
// @ts-expect-error: a plugin is a function; files are named by MILLRACE_PLUGINS
app.register(millrace, { plugins: ['./sales.ts'] })
