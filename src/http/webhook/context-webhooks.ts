import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { RouteOptions } from 'fastify'
import { parentPath, ROOT } from '../../contexts/context-path.ts'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { WEBHOOK_METHODS } from '../../flows/webhook-methods.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { ServedRoute } from './served-route.ts'

/** Where a webhook is called, up to the flow. Both are the same endpoint. */
export const WEBHOOK_PATHS: readonly string[] = ['/api/v1/webhook/', '/v1/webhook/']

/**
 * A guard of a context sees them all, but no OPTIONS: a browser asks with that before it sends a key, and is told only what the flow allows
 * to pages of other origins.
 */
export const LED_METHODS = [...WEBHOOK_METHODS, 'HEAD'] as const

const isLed = (method: string) => (LED_METHODS as readonly string[]).includes(method)

/** Where the form of a flow is opened and sent, up to the flow. */
export const FORM_PATH = '/form/'

/** Where the public chat of a flow is opened, up to the flow. */
export const CHAT_PATH = '/chat/'

const LED_PATHS: readonly string[] = [...WEBHOOK_PATHS, FORM_PATH, CHAT_PATH]

const SENT_URL = Symbol('millrace.sent-url')
const TARGET = Symbol('millrace.target')
const AWAITS_READER = Symbol('millrace.awaits-reader')

/** A request that is led somewhere: the address that was sent, and where it goes if only the route could tell. */
type Led = IncomingMessage & { [SENT_URL]?: string; [TARGET]?: string; [AWAITS_READER]?: boolean }

/**
 * Serves the webhook of a flow, its form and its chat, inside the flow's context, so that the hooks, decorators and guards of that context
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
  /** A name that no other constraint in the application has; the router writes it into code of its own. */
  readonly constraint = `millrace_${randomUUID().replaceAll('-', '')}`
  /** The addresses of each context's routes, up to the flow, by the path that the webhook is called at. */
  readonly #addresses = new Map<string, Readonly<Record<string, string>>>()
  /** The routes themselves, by context; those of the root are the public ones. */
  readonly #routes = new Map<string, ServedRoute[]>()
  #hasRival = false
  #prefix = ''

  constructor(tree: ContextTree, library: FlowLibrary) {
    this.#tree = tree
    this.#library = library
  }

  /** The addresses that the routes of a context are to have, up to the flow, by the path that they are called at. */
  addressesIn(context: string): Readonly<Record<string, string>> {
    const known = this.#addresses.get(context)
    if (known !== undefined) return known
    const inner = `${this.#prefix}/${this.#token}/${this.#addresses.size}`
    const addresses = Object.fromEntries(LED_PATHS.map((path) => [path, `${inner}${path}`]))
    this.#addresses.set(context, addresses)
    return addresses
  }

  /** For an application that serves Millrace below a prefix. */
  mountedAt(prefix: string): void {
    this.#prefix = withoutSlash(prefix)
  }

  /** Tells which route serves the webhooks of a context. */
  servedBy(context: string, route: ServedRoute): void {
    this.#routes.set(context, [...(this.#routes.get(context) ?? []), route])
  }

  /** To be told of every route: one of a plugin may take webhooks of the root, by naming flows at their address. */
  noteRoute({ method, url, config }: Pick<RouteOptions, 'method' | 'url' | 'config'>): void {
    if (config?.access === 'own guard' || ![method].flat().includes('POST')) return
    if (WEBHOOK_PATHS.some((path) => url.startsWith(this.#prefix + path))) this.#hasRival = true
  }

  /**
   * Whether anybody but Millrace looks at the webhooks of a context, or may answer them. To be asked when all plugins are
   * loaded. What is not known counts as a guard.
   */
  isGuarded(context: string): boolean {
    const served = this.#contextWith(this.#routes, context)
    if (served === undefined || (served === ROOT && this.#hasRival)) return true
    return this.#routes.get(served)!.some((route) => route.isGuarded)
  }

  /** Where the request is to be routed. */
  route(request: IncomingMessage): string {
    const url = request.url!
    const target = (request as Led)[TARGET]
    if (target !== undefined) return target
    if (this.#addresses.size === 0 || !isLed(request.method!)) return url
    if (!url.startsWith(this.#prefix)) return url
    for (const path of LED_PATHS) {
      if (url.startsWith(path, this.#prefix.length)) return this.#lead(request, url, path)
    }
    return url
  }

  /**
   * Leads a request in an application whose server is not ours. There the router reads the address once, and the
   * application's own hooks read it after that: so the first reader is led, and all others see what was sent.
   */
  routeOnFirstRead(request: IncomingMessage): void {
    const marked = request as Led
    // Another Millrace in the application leads it, and is not to lose its reader.
    if (marked[AWAITS_READER] === true) return
    const sent = request.url!
    const led = this.route(request)
    if (led === sent) return
    const settle = (value: string) => {
      marked[AWAITS_READER] = false
      Object.defineProperty(request, 'url', { value, writable: true, enumerable: true, configurable: true })
    }
    marked[AWAITS_READER] = true
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
   * Notes where a request that reached the public route is to go, for routing it once more; false where it is in its
   * place. Nobody led it before because its address is written in a way that only the router understands: as an
   * absolute one, or with letters encoded.
   */
  reroute(request: IncomingMessage, path: string, flow: string): boolean {
    const address = this.#addressOf(path, flow)
    if (address === undefined) return false
    const led = request as Led
    // Here for the second time it would go in circles; and served here, it would pass by its guards.
    if (led[TARGET] !== undefined) throw new Error(`the webhook of ${flow} cannot be led to its context`)
    const query = /[?#].*$/.exec(request.url!)?.[0] ?? ''
    led[SENT_URL] = request.url!
    led[TARGET] = `${address}${encodeURIComponent(flow)}${query}`
    return true
  }

  /** Whether a request came to the address of a context by the public one; nobody is served there directly. */
  isLed(request: IncomingMessage): boolean {
    return (request as Led)[SENT_URL] !== undefined
  }

  /** Gives a request that was led somewhere its own address back. */
  restore(request: IncomingMessage): void {
    const sent = (request as Led)[SENT_URL]
    if (sent !== undefined) request.url = sent
  }

  #lead(request: Led, url: string, path: string): string {
    const rest = url.slice(this.#prefix.length + path.length)
    const address = this.#addressOf(path, readSegment(rest))
    if (address === undefined) return url
    request[SENT_URL] = url
    return address + rest
  }

  /** Of the route that serves the flow; undefined where that is the public one. */
  #addressOf(path: string, reference: string): string | undefined {
    if (this.#addresses.size === 0) return undefined
    const flow = this.#library.find(reference)
    const context = flow === undefined ? undefined : this.#contextWith(this.#addresses, flow.context)
    return context === undefined ? undefined : this.#addresses.get(context)?.[path]
  }

  /** The nearest context that code made and that has a route. */
  #contextWith(routes: ReadonlyMap<string, unknown>, path: string): string | undefined {
    let context: string | undefined = this.#tree.nearestCode(path)
    // One whose plugin failed has no route, where the parent let that pass: the guards above still hold.
    while (context !== undefined && !routes.has(context)) context = parentPath(context)
    return context
  }
}

/** A prefix as an application writes it; every path that follows begins with a slash. */
export function withoutSlash(prefix: string): string {
  return prefix.replace(/\/$/, '')
}

function readSegment(rest: string): string {
  const end = rest.search(/[?#]/)
  const segment = end < 0 ? rest : rest.slice(0, end)
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
