import type { LookupAddress } from 'node:dns'
import { isIP, Socket } from 'node:net'
import type { Destination } from './address-policy.ts'
import { lookupThrough, withoutBrackets } from './guarded-lookup.ts'

/**
 * A socket for a library that speaks a protocol of its own, such as a database's driver: it behaves like one of
 * node:net, and whatever it is told to connect to passes the guard first.
 */
export class GuardedSocket extends Socket {
  readonly #addresses: (destination: Destination) => Promise<readonly LookupAddress[]>

  constructor(addresses: (destination: Destination) => Promise<readonly LookupAddress[]>) {
    super()
    this.#addresses = addresses
  }

  /** As drivers call it: `connect(port, host)`, or with options. */
  override connect(...args: unknown[]): this {
    const destination = readDestination(args)
    const { host, port } = destination
    // Node looks nothing up that is an address already, and with a dot at its end it is none.
    const name = isIP(host) === 0 ? host : `${host}.`
    super.connect({ port, host: name, lookup: lookupThrough(() => this.#addresses(destination)) })
    // What TLS compares a certificate with.
    Object.assign(this, { _host: host })
    return this
  }
}

/** `path`, which is a socket of this machine's file system, is not read: no step may reach one. */
function readDestination(args: readonly unknown[]): Destination {
  // node:net hands options that it has put in order on as a list.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  const isOptions = typeof first === 'object' && first !== null
  const { host, port } = isOptions ? (first as Partial<Destination>) : { host: second, port: first }
  return { host: withoutBrackets(typeof host === 'string' ? host : 'localhost'), port: Number(port) }
}
