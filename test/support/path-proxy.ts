import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp, type Lifetime } from './clean-up.ts'

export interface PathProxy {
  /** What people use: the address of the proxy with the path. */
  readonly url: string
  /** Where it sends requests to; known once a service has started for this address. */
  leadsTo(address: string): void
}

/** A web server that has a service below one of its paths, and other things beside it. */
export async function startPathProxy(
  test: Lifetime,
  { path, strips }: { readonly path: string; readonly strips: boolean }
): Promise<PathProxy> {
  let target = ''
  const server = createServer((incoming, outgoing) => {
    const url = incoming.url!
    const isBelow = url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`)
    if (!isBelow) return void outgoing.writeHead(404).end('something else lives here')
    const rest = url.slice(path.length)
    const passed = strips ? (rest.startsWith('/') ? rest : `/${rest}`) : url
    const { method, headers } = incoming
    const onward = request(target + passed, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(test, async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${path}`,
    leadsTo: (address) => {
      target = address
    }
  }
}
