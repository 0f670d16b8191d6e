import { freePort, isFree, type PortRange } from '../../bench/drill/free-port.ts'

/** Where nobody else looks for one: between two services a port is free for a moment. */
const OURS: PortRange = { lowest: 11_000, count: 4_000 }

/**
 * Ports at which the services of a process take turns. A browser keeps the page's code by its address: where each
 * service had one of its own, the browser would compile all of it again for each.
 */
export class ServicePorts {
  readonly #ports: { readonly number: number; isTaken: boolean }[] = []

  /** The first that is free, so that it is the same one again and again. */
  async take(): Promise<number> {
    for (const port of this.#ports) {
      if (port.isTaken) continue
      port.isTaken = true
      // Somebody outside of this process may have it by now.
      if (await isFree(port.number)) return port.number
    }
    const number = await freePort(OURS)
    this.#ports.push({ number, isTaken: true })
    return number
  }

  giveBack(number: number): void {
    const port = this.#ports.find((known) => known.number === number)
    if (port !== undefined) port.isTaken = false
  }
}
