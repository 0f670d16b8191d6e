import { connect } from 'node:net'

/** Resolves when nobody listens there any more. */
export async function refusesConnections(address: string): Promise<void> {
  const { hostname, port } = new URL(address)
  for (;;) {
    const isRefused = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.destroy()
        resolve(false)
      })
      socket.once('error', () => resolve(true))
    })
    if (isRefused) return
  }
}
