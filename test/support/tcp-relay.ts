import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { cleanUp, type Lifetime } from './clean-up.ts'

/**
 * What becomes of a piece that a client sends: it is passed on; the connection is cut before it arrives, or once it is
 * answered and before the client hears of that; or it is passed on and nothing comes back ever after.
 */
export type Fate = 'pass' | 'cut' | 'cut answer' | 'hold answer'

export interface RelayOptions {
  /** Asked about each piece that a client sends. */
  readonly fateOf?: (piece: string) => Fate
  /** What the server gets in place of each piece that a client sends. */
  readonly asked?: (piece: Buffer) => Buffer
  /** What clients get in place of the first piece that the server sends on a connection. */
  readonly greeting?: (piece: Buffer) => Buffer
  /** What they get in place of each later piece. */
  readonly answered?: (piece: Buffer) => Buffer
}

const same = (piece: Buffer) => piece

/** Stands between a client and a server of this machine, and loses connections as it is told to. */
export interface Relay {
  readonly port: number
}

export async function startRelay(
  test: Lifetime,
  serverPort: number,
  { fateOf = () => 'pass', asked = same, greeting = same, answered = same }: RelayOptions
): Promise<Relay> {
  const open = new Set<Socket>()
  const relay = createServer((client) => {
    const server = connect(serverPort, '127.0.0.1')
    const cut = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('error', cut)
      socket.on('close', () => {
        open.delete(socket)
        cut()
      })
    }
    let fate: Fate = 'pass'
    let isFirst = true
    client.on('data', (piece) => {
      fate = fateOf(piece.toString('latin1'))
      if (fate === 'cut') cut()
      else server.write(asked(piece))
    })
    server.on('data', (piece) => {
      if (fate === 'cut answer') cut()
      else if (fate === 'pass') client.write(isFirst ? greeting(piece) : answered(piece))
      isFirst = false
    })
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  cleanUp(test, () => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => relay.close(resolve))
  })
  return { port: (relay.address() as AddressInfo).port }
}
