import type { LookupAddress } from 'node:dns'
import { isIP, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { malformedAnswer } from '../engine/reach-error.ts'
import { StepError } from '../engine/step-error.ts'
import type { Destination } from './address-policy.ts'
import { lookupThrough, withoutBrackets } from './guarded-lookup.ts'

/** Sees what a peer sends before the driver does. What it throws ends the session. */
type Look = (chunk: Buffer) => void

/**
 * A socket for a library that speaks a protocol of its own, such as a database's driver: it behaves like one of
 * node:net, and whatever it is told to connect to passes the guard first. What the library throws while it reads ends
 * the session and not the process: the peer decides what it gets to read.
 */
export class GuardedSocket extends Socket {
  readonly #addresses: (destination: Destination) => Promise<readonly LookupAddress[]>
  #who = 'The other side'

  constructor(addresses: (destination: Destination) => Promise<readonly LookupAddress[]>) {
    super()
    this.#addresses = addresses
    this.guard(this)
  }

  /** As drivers call it: `connect(port, host)`, or with options. */
  override connect(...args: unknown[]): this {
    const destination = readDestination(args)
    const { host, port } = destination
    this.#who = `${host}, port ${port}`
    // Node looks up nothing that is already an address, and with a dot at its end it is not one.
    const name = isIP(host) === 0 ? host : `${host}.`
    super.connect({ port, host: name, lookup: lookupThrough(() => this.#addresses(destination)) })
    // What TLS compares a certificate with.
    Object.assign(this, { _host: host })
    return this
  }

  /**
   * Guards what a driver reads from: this socket is guarded from the start, but one that puts TLS over it reads from the
   * stream that TLS gives it, of which nobody else hears.
   */
  guard(stream: Duplex, look: Look = () => {}): void {
    const emit = stream.emit.bind(stream) as (event: string | symbol, ...args: unknown[]) => boolean
    let isOver = false
    const guarded = (event: string | symbol, ...args: unknown[]): boolean => {
      // Where nobody listens to an error it is thrown on purpose.
      if (event === 'error') return emit(event, ...args)
      if (event === 'data' && isOver) return false
      try {
        if (event === 'data') look(args[0] as Buffer)
        return emit(event, ...args)
      } catch (error) {
        isOver = true
        stream.on('error', () => {})
        stream.destroy(error instanceof StepError ? error : malformedAnswer(error, this.#who))
        return false
      }
    }
    stream.emit = guarded as typeof stream.emit
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
