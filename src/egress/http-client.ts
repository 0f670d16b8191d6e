import { isIP } from 'node:net'
import {
  Agent,
  buildConnector,
  type Client,
  type Dispatcher,
  fetch,
  Pool,
  request,
  type RequestInit as UndiciInit
} from 'undici'
import type { Clock } from '../clock.ts'
import { StepError } from '../engine/step-error.ts'
import type { Destination } from './address-policy.ts'
import { type Addresses, destinationOf, lookupThrough } from './guarded-lookup.ts'
import { PacedClient, type SentBy } from './paced-client.ts'

type Connect = ReturnType<typeof buildConnector>
export type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'opaque'>
/** `opaque` is who sent it. */
export type HttpAnswer = Dispatcher.ResponseData<SentBy>

/** A connection that does not come about in this time will not. */
const CONNECT_WITHIN_MS = 10_000
/** Addresses of connections whose sockets are kept apart; past this the one that was used longest ago goes. */
const MOST_TRUSTED = 200

/**
 * HTTP through the guard. A file of its own, loaded when a step first calls somebody: the library takes 28 MB.
 *
 * A socket that was opened for a trusted address stays among the calls that trust it: others would be let in by a
 * connection that is kept open.
 *
 * HTTP/1.1 alone: a socket of HTTP/2 carries many calls at once, and one call could not say how often it is read.
 */
export class HttpClient {
  readonly #addresses: Addresses
  readonly #clock: Pick<Clock, 'startTimer'>
  readonly #untrusted: Agent
  readonly #trusted = new Map<string, Agent>()

  constructor(addresses: Addresses, clock: Pick<Clock, 'startTimer'>) {
    this.#addresses = addresses
    this.#clock = clock
    this.#untrusted = this.#agent(null)
  }

  /** In the types of the web: the library's own say the same, and differ from release to release. */
  async fetch(url: string | URL, init: RequestInit, trusted: Destination | null): Promise<Response> {
    const options = { ...(init as unknown as UndiciInit), dispatcher: this.dispatcher(trusted) }
    try {
      return (await fetch(url, options)) as unknown as Response
    } catch (error) {
      // What the guard says is the cause of a TypeError "fetch failed".
      const { cause } = error as { readonly cause?: unknown }
      throw cause instanceof StepError ? cause : error
    }
  }

  request(url: URL, options: RequestOptions, trusted: Destination | null): Promise<HttpAnswer> {
    return request(url, { ...options, opaque: {}, dispatcher: this.dispatcher(trusted) })
  }

  dispatcher(trusted: Destination | null): Dispatcher {
    if (trusted === null) return this.#untrusted
    const key = `${trusted.host}:${trusted.port}`
    const agent = this.#trusted.get(key) ?? this.#agent(trusted)
    // The one that was used last stands last.
    this.#trusted.delete(key)
    this.#trusted.set(key, agent)
    if (this.#trusted.size > MOST_TRUSTED) this.#forgetOldest()
    return agent
  }

  async close(): Promise<void> {
    const agents = [this.#untrusted, ...this.#trusted.values()]
    this.#trusted.clear()
    await Promise.all(agents.map((agent) => agent.destroy()))
  }

  #forgetOldest(): void {
    const [key, agent] = this.#trusted.entries().next().value!
    this.#trusted.delete(key)
    // Calls under way come to their end.
    void agent.close()
  }

  #agent(trusted: Destination | null): Agent {
    // A lookup is told the name and not the port, which a rule may be about: so there is a connector for each port.
    const connectors = new Map<number, Connect>()
    const connect: Connect = (options, callback) => {
      const destination = destinationOf(options.hostname, options.port, options.protocol)
      const connector = connectors.get(destination.port) ?? this.#connector(destination.port, trusted)
      connectors.set(destination.port, connector)
      // Node looks nothing up that is an address already.
      if (isIP(destination.host) === 0) return connector(options, callback)
      this.#addresses(destination, trusted).then(
        () => connector(options, callback),
        (error) => callback(error, null)
      )
    }
    const client = (origin: URL, options: object) =>
      new PacedClient(origin, options as Client.Options, this.#clock)
    // A step has its own time, and its signal ends the call: a second clock would only be a surprise.
    return new Agent({
      connect,
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
      factory: (origin, options) => new Pool(origin, { ...options, factory: client })
    })
  }

  #connector(port: number, trusted: Destination | null): Connect {
    const lookup = lookupThrough((host) => this.#addresses({ host, port }, trusted))
    return buildConnector({ timeout: CONNECT_WITHIN_MS, lookup, allowH2: false })
  }
}
