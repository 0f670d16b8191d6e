import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ROOT } from '../contexts/context-path.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { FlowLibrary } from '../library/flow-library.ts'

const SENT_URL = Symbol('millrace.sent-url')

type Rewritten = IncomingMessage & { [SENT_URL]?: string }

/**
 * Serves the webhook of a flow inside the flow's context, so that the hooks, decorators and guards of that context
 * apply to it, while its address stays the same.
 *
 * Every context that code made has the webhook's route too, at an address of its own that nobody outside can
 * know. A request to the public address is led there before Fastify looks for a route, by where the flow lives at
 * that moment: a flow that is moved is served in its new context by the very next request. As soon as the route is
 * found the request has its own address back, so hooks and handlers see what the caller sent.
 *
 * Rejected: constraints of the router, which hold at most 31 handlers for one path; and registering the route per
 * flow, since routes are fixed once the service is ready.
 */
export class ContextWebhooks {
  readonly #tree: ContextTree
  readonly #library: FlowLibrary
  readonly #token = randomUUID()
  /** The address of each context's route, up to the flow. */
  readonly #addresses = new Map<string, string>()
  #publicPrefixes: readonly string[] = ['/api/v1/webhook/', '/v1/webhook/']

  constructor(tree: ContextTree, library: FlowLibrary) {
    this.#tree = tree
    this.#library = library
  }

  /** The path that the context's route is to be registered at, on an instance of this prefix. */
  pathIn(prefix: string, context: string): string {
    const path = `/${this.#token}/${this.#addresses.size}/`
    this.#addresses.set(context, `${prefix}${path}`)
    return `${path}:flow`
  }

  /** For an application that serves Millrace below a prefix. */
  mountedAt(prefix: string): void {
    this.#publicPrefixes = this.#publicPrefixes.map((path) => `${prefix}${path}`)
  }

  /** Where the request is to be routed. */
  route(request: IncomingMessage): string {
    const url = request.url!
    if (this.#addresses.size === 0 || request.method !== 'POST') return url
    for (const prefix of this.#publicPrefixes) {
      if (url.startsWith(prefix)) return this.#lead(request as Rewritten, url, url.slice(prefix.length))
    }
    return url
  }

  /**
   * Leads a request in an application whose server is not ours. There the router reads the address once, and the
   * application's own hooks read it after that: so the first reader is led, and all others see what was sent.
   */
  leadFirstReader(request: IncomingMessage): void {
    const sent = request.url!
    const led = this.route(request)
    if (led === sent) return
    const settle = (value: string) =>
      Object.defineProperty(request, 'url', { value, writable: true, enumerable: true, configurable: true })
    Object.defineProperty(request, 'url', {
      configurable: true,
      enumerable: true,
      get: () => {
        settle(sent)
        return led
      },
      set: settle
    })
  }

  /** Whether the public route got a request that belongs to another context: nobody led it, as with `inject`. */
  isAstray(flow: string): boolean {
    if (this.#addresses.size === 0) return false
    const found = this.#library.find(flow)
    return found !== undefined && this.#addresses.has(this.#tree.nearestCode(found.context))
  }

  /** Gives a request that was led somewhere its own address back. */
  restore(request: IncomingMessage): void {
    const sent = (request as Rewritten)[SENT_URL]
    if (sent !== undefined) request.url = sent
  }

  #lead(request: Rewritten, url: string, rest: string): string {
    const flow = this.#library.find(readSegment(rest))
    const context = flow === undefined ? ROOT : this.#tree.nearestCode(flow.context)
    const address = this.#addresses.get(context)
    if (address === undefined) return url
    request[SENT_URL] = url
    return address + rest
  }
}

function readSegment(rest: string): string {
  const segment = rest.split(/[?#]/, 1)[0]!
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
