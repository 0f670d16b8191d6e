import bearerAuth from '@fastify/bearer-auth'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'

export interface ServerOptions {
  /** The keys that the bearer guard accepts. */
  readonly keys: readonly string[]
  /** Whether the grandchild registers into its parent instead of into a context of its own. */
  readonly shared: boolean
}

/** Fastify's rules of encapsulation as a server: each route answers what its request has in its context. */
export function buildServer({ keys, shared }: ServerOptions): FastifyInstance {
  const root = Fastify()
  root.decorateRequest('answer', 42)
  root.register(authenticatedContext, { keys })
  root.register(publicContext, { shared })
  return root
}

async function authenticatedContext(context: FastifyInstance, { keys }: Pick<ServerOptions, 'keys'>) {
  // Bearer auth is a shared plugin: its hook lands in the context that registers it. On the root it would
  // guard every route.
  context.register(bearerAuth, { keys: [...keys] })
  context.get('/one', whatTheRequestHas)
}

async function publicContext(context: FastifyInstance, { shared }: Pick<ServerOptions, 'shared'>) {
  // Before the child: Fastify copies plain values when it forks a context; the child would miss later ones.
  context.decorateRequest('foo', 'foo')
  context.get('/two', whatTheRequestHas)

  // Declared in here because fastify-plugin marks the function that it wraps: a function that all servers
  // have in common would, after the first shared one, be shared in every other too.
  async function grandchildContext(child: FastifyInstance) {
    child.decorateRequest('bar', 'bar')
    child.get('/three', whatTheRequestHas)
  }
  context.register(shared ? fastifyPlugin(grandchildContext) : grandchildContext)
}

/**
 * The one handler of all routes, so that a difference between their answers can only come from the context.
 * What the request does not have is undefined, and JSON leaves that out.
 */
function whatTheRequestHas(request: FastifyRequest): Decorations {
  const { answer, foo, bar } = request as FastifyRequest & Decorations
  return { answer, foo, bar }
}

// Not merged into Fastify's own types: those would say that every request everywhere has all three.
interface Decorations {
  readonly answer: number | undefined
  readonly foo: string | undefined
  readonly bar: string | undefined
}
