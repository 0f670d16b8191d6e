import type { Server } from 'node:http'

interface Serving {
  readonly server: Pick<Server, 'address'>
  readonly prefix: string
}

/**
 * Where others reach this service, for addresses that leave it. What an operator says; else where it listens. It never
 * follows from a request: whoever sends one could make up the host that a signed link then leads to.
 */
export class OwnAddress {
  readonly #publicUrl: string | null
  #serving: Serving | undefined

  constructor(publicUrl: string | null) {
    this.#publicUrl = publicUrl
  }

  /** To be called once, by a process that answers all requests: a worker has no such address. */
  serves(serving: Serving): void {
    this.#serving = serving
  }

  /** Without a slash at the end; undefined where it is not known. */
  get base(): string | undefined {
    const prefix = this.#serving?.prefix ?? ''
    if (this.#publicUrl !== null) return `${this.#publicUrl.replace(/\/$/, '')}${prefix}`
    if (this.#serving === undefined) return undefined
    const { server } = this.#serving
    const scheme = 'setSecureContext' in server ? 'https' : 'http'
    return `${scheme}://${boundTo(server)}${prefix}`
  }
}

function boundTo(server: Pick<Server, 'address'>): string {
  const bound = server.address()
  if (bound === null || typeof bound === 'string') return 'localhost'
  const isAny = bound.address === '0.0.0.0' || bound.address === '::'
  const host = isAny ? '127.0.0.1' : bound.address
  return `${host.includes(':') ? `[${host}]` : host}:${bound.port}`
}
