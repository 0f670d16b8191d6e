import type { TestContext } from 'node:test'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import millrace, { type MillraceOptions } from '../../src/millrace.ts'
import { ApiClient } from './api-client.ts'
import { cleanUp } from './clean-up.ts'
import { temporaryFolder } from './stage.ts'

export const HOST_KEY = 'host-key-0123456789abcdef'

export interface HostOptions extends MillraceOptions {
  readonly server?: FastifyServerOptions & { readonly rewriteUrl?: (request: { url?: string }) => string }
  /** Called before Millrace is registered. */
  readonly before?: (app: FastifyInstance) => void
}

/** Somebody's own application, with Millrace in it. */
export interface Host {
  readonly app: FastifyInstance
  readonly home: string
  /** Listens, and returns a client of the Millrace in it. */
  listen(): Promise<ApiClient>
  close(): Promise<void>
}

export async function createHost(test: TestContext, options: HostOptions = {}): Promise<Host> {
  const { server = {}, before, home = await temporaryFolder(test), ...settings } = options
  const app = Fastify(server) as unknown as FastifyInstance
  before?.(app)
  const given = { prefix: '/flows', apiKey: HOST_KEY, ...settings, home }
  app.register(millrace, given)
  let closed: Promise<void> | undefined
  const close = () => (closed ??= Promise.resolve(app.close()).then(() => {}))
  cleanUp(test, close)
  return {
    app,
    home,
    close,
    listen: async () => {
      const address = await app.listen({ port: 0, host: '127.0.0.1' })
      return new ApiClient(test, address + given.prefix.replace(/\/$/, ''), HOST_KEY)
    }
  }
}
