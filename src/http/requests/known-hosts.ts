import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { MillraceError } from '../../errors.ts'

export interface KnownHostsOptions {
  /** The address that the service listens on; null where an application does that for it. */
  readonly host: string | null
  /** Where people reach it; null where nobody said. */
  readonly publicUrl: string | null
  /** Further names; `*.example.com` is all below one, `*` is any. */
  readonly allowedHosts: readonly string[]
}

/** Names are few; whoever makes them up must not fill the memory. */
const MOST_REMEMBERED = 100

/** Asked for by machines, under whatever name they have for this one; the answers tell nothing. */
const HEALTH = /^\/(?:livez|readyz)(?:\?|$)/

/**
 * The names that the service answers to. A page of another site can lead its own name to the address of this service
 * (DNS rebinding), and then the browser takes what answers there for that site. The name in `Host` gives it away.
 *
 * Addresses in numbers pass: nobody looked them up, so nobody was led here by them. And where others reach the service
 * by names that it cannot know, as in a container, all names pass until an operator says which ones there are.
 */
export class KnownHosts {
  /** Where people reach the service; null where nobody said. */
  readonly publicUrl: string | null
  readonly #names: ReadonlySet<string>
  readonly #endings: readonly string[]
  readonly #takesAny: boolean
  readonly #verdicts = new Map<string, boolean>()

  constructor({ host, publicUrl, allowedHosts }: KnownHostsOptions) {
    this.publicUrl = publicUrl
    const named = allowedHosts.map((name) => name.toLowerCase())
    const own = [host, publicUrl && new URL(publicUrl).hostname].filter((name) => name !== null)
    this.#names = new Set(['', 'localhost', ...own.map((name) => nameIn(name)), ...named])
    this.#endings = ['.localhost', ...named.flatMap((name) => (name.startsWith('*.') ? [name.slice(1)] : []))]
    const isSaid = publicUrl !== null || named.length > 0
    this.#takesAny = named.includes('*') || !(isSaid || (host !== null && isLoopback(host)))
  }

  /** Why the request is not answered; undefined where it is. */
  refusal(request: IncomingMessage): MillraceError | undefined {
    if (countHosts(request.rawHeaders) > 1) return twoHosts()
    const host = request.headers.host ?? ''
    if (this.#knows(host) || HEALTH.test(request.url!)) return undefined
    return unknownHost(nameIn(host))
  }

  #knows(host: string): boolean {
    if (this.#takesAny) return true
    let isKnown = this.#verdicts.get(host)
    if (isKnown === undefined) {
      isKnown = this.#judge(nameIn(host))
      if (this.#verdicts.size < MOST_REMEMBERED) this.#verdicts.set(host, isKnown)
    }
    return isKnown
  }

  #judge(name: string): boolean {
    return isIP(name) !== 0 || this.#names.has(name) || this.#endings.some((ending) => name.endsWith(ending))
  }
}

/** Without port, brackets and the dot that ends a whole name. */
function nameIn(host: string): string {
  const name = /^\[(.*)\](?::\d*)?$/.exec(host)?.[1] ?? (isIP(host) === 6 ? host : host.replace(/:\d*$/, ''))
  return name.replace(/\.$/, '').toLowerCase()
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** Node takes the first one; a proxy before it may have gone by the last. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

function twoHosts(): MillraceError {
  return new MillraceError('bad_request', 'The request has more than one Host header. Send one.')
}

function unknownHost(name: string): MillraceError {
  return new MillraceError(
    'unknown_host',
    `Millrace does not answer to the name ${JSON.stringify(name.slice(0, 100))}. If it is one of its own, set MILLRACE_PUBLIC_URL to the address that people use, or add the name to MILLRACE_ALLOWED_HOSTS.`
  )
}
