/** A person cannot open 0.0.0.0: a service that listens everywhere is reached at the loopback address too. */
export function reachableAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
