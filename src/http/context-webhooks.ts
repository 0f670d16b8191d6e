import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
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
      if (url.startsWith(prefix)) return this.#lead(request, url, url.slice(prefix.length))
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

  /**
   * Leads a request that reached the public route although the flow is served elsewhere, and tells whether it did.
   * Nobody led it before: it was injected, or its address is written in a way that only the router understands,
   * as an absolute one or one with letters encoded.
   */
  leadAstray(request: IncomingMessage, flow: string): boolean {
    const address = this.#addressOf(flow)
    if (address === undefined) return false
    // Led once and here again, it would go in circles; and served here, it would pass by its guards.
    if (this.isLed(request)) throw new Error(`the webhook of ${flow} cannot be led to its context`)
    const sent = request.url!
    const query = /[?#].*$/.exec(sent)?.[0] ?? ''
    this.#mark(request, sent)
    request.url = `${address}${encodeURIComponent(flow)}${query}`
    return true
  }

  /** Whether a request came to the address of a context by the public one; nobody is served there directly. */
  isLed(request: IncomingMessage): boolean {
    return (request as Rewritten)[SENT_URL] !== undefined
  }

  /** Gives a request that was led somewhere its own address back. */
  restore(request: IncomingMessage): void {
    const sent = (request as Rewritten)[SENT_URL]
    if (sent !== undefined) request.url = sent
  }

  #lead(request: IncomingMessage, url: string, rest: string): string {
    const address = this.#addressOf(readSegment(rest))
    if (address === undefined) return url
    this.#mark(request, url)
    return address + rest
  }

  #mark(request: Rewritten, sent: string): void {
    request[SENT_URL] = sent
  }

  /** Of the route that serves the flow; undefined where that is the public one. */
  #addressOf(reference: string): string | undefined {
    if (this.#addresses.size === 0) return undefined
    const flow = this.#library.find(reference)
    return flow === undefined ? undefined : this.#addresses.get(this.#tree.nearestCode(flow.context))
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
