import { createServer } from 'node:net'

const TRIES = 50
export interface PortRange {
  /** Above 10080, which is the port of a protocol that browsers refuse to speak to. */
  readonly lowest: number
  readonly count: number
}

const SERVERS: PortRange = { lowest: 15_000, count: 15_000 }

/**
 * A port that every life of a server can use again, so that clients knock on it all the time. It is taken from below
 * the range that systems hand out by themselves: there, somebody else is given it while the server is down, and a
 * client that connects to a port where nobody listens is sooner or later given that very port as its own, and is
 * connected to itself.
 */
export async function freePort({ lowest, count }: PortRange = SERVERS): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = lowest + Math.floor(Math.random() * count)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port was found between ${lowest} and ${lowest + count}`)
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
