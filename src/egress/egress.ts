import type { LookupAddress } from 'node:dns'
import { lookup as lookUpHost } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { type Clock, systemClock } from '../clock.ts'
import { StepError } from '../engine/step-error.ts'
import { type Destination, type Refusal, refusalOf } from './address-policy.ts'
import type { AllowRule } from './allow-list.ts'
import { GuardedSocket } from './guarded-socket.ts'
import type { HttpAnswer, HttpClient, RequestOptions } from './http-client.ts'
import { onAnyNode } from './older-node.ts'

type Lookup = (host: string) => Promise<readonly LookupAddress[]>

const lookUpAll: Lookup = (host) => lookUpHost(host, { all: true })

interface EgressOptions {
  readonly allow: readonly AllowRule[]
  /** How a name becomes addresses; the system's way where it is left out. */
  readonly lookup?: Lookup
  readonly clock?: Pick<Clock, 'startTimer'>
}

/**
 * The one door to the outside: every socket that a step opens is opened through it. A name is looked up once, all its
 * addresses are judged, and the socket goes to one of these and to no other; that a name points elsewhere a moment
 * later changes nothing. A redirect is a new destination and is judged anew.
 *
 * `trusted` is the address of the connection that a call is made for, where somebody who may do so wrote it.
 */
export class Egress {
  readonly #allow: readonly AllowRule[]
  readonly #lookup: Lookup
  readonly #clock: Pick<Clock, 'startTimer'>
  #http: Promise<HttpClient> | undefined

  constructor({ allow, lookup = lookUpAll, clock = systemClock() }: EgressOptions) {
    this.#allow = allow
    this.#lookup = lookup
    this.#clock = clock
  }

  /** The fetch of the web. Redirects are followed, unless `init` says otherwise. */
  async fetch(
    url: string | URL,
    init: RequestInit = {},
    trusted: Destination | null = null
  ): Promise<Response> {
    return (await this.#client()).fetch(url, init, trusted)
  }

  /** One request and no redirects, at less cost than `fetch`. */
  async request(url: URL, options: RequestOptions, trusted: Destination | null = null): Promise<HttpAnswer> {
    return (await this.#client()).request(url, options, trusted)
  }

  /** For libraries that take a dispatcher of undici's. */
  async dispatcher(trusted: Destination | null): Promise<Dispatcher> {
    return (await this.#client()).dispatcher(trusted)
  }

  /** For libraries that open a socket themselves and can be given one. */
  socket(trusted: Destination | null = null): GuardedSocket {
    return new GuardedSocket((destination) => this.addresses(destination, trusted))
  }

  /** The addresses at which the destination may be reached. Rejects where it may not be. */
  async addresses(destination: Destination, trusted: Destination | null): Promise<readonly LookupAddress[]> {
    const { host } = destination
    const family = isIP(host)
    const found = family === 0 ? await this.#lookup(host) : [{ address: host, family }]
    const addresses = found.map(({ address }) => address)
    const refusal = refusalOf(destination, addresses, { allow: this.#allow, trusted })
    if (refusal !== undefined) throw refused(destination, refusal)
    return found
  }

  async close(): Promise<void> {
    const http = this.#http
    this.#http = undefined
    await (await http)?.close()
  }

  #client(): Promise<HttpClient> {
    this.#http ??= onAnyNode(() => import('./http-client.ts')).then(
      ({ HttpClient }) =>
        new HttpClient((destination, trusted) => this.addresses(destination, trusted), this.#clock)
    )
    return this.#http
  }
}

function refused({ host, port }: Destination, { address, rule, onlyByName }: Refusal): StepError {
  const place = host === address ? `${address}, port ${port}` : `${host} (${address}), port ${port}`
  const entry = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
  const remedy = onlyByName
    ? `Only an entry for this very address, ${entry}, in MILLRACE_EGRESS_ALLOW allows it.`
    : `Add ${entry} to MILLRACE_EGRESS_ALLOW, or let somebody with the right "admin" for the root save a connection with this host and port.`
  return new StepError(`Steps may not reach ${place}: it is ${rule}. ${remedy}`, {
    code: 'egress_refused',
    retryable: false
  })
}
