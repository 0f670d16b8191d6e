import bearerAuth from '@fastify/bearer-auth'
import { type Context, share } from '../../src/millrace.ts'

/**
 * A team whose context has a guard, and a team beside it that has none:
 *
 *   /guarded        asks for a bearer key
 *   /guarded/inner  a child of it
 *   /open
 */
export const BEARER = { authorization: 'Bearer let-me-in' }

async function inner(): Promise<void> {}

async function guarded(context: Context): Promise<void> {
  context.register(bearerAuth, { keys: ['let-me-in'] })
  context.register(inner)
  context.get('/guarded/own', async () => 'behind the guard')
}

async function open(context: Context): Promise<void> {
  context.get('/open/own', async () => 'in the open')
}

async function teams(context: Context): Promise<void> {
  context.register(guarded)
  context.register(open)
}

export default share(teams)
