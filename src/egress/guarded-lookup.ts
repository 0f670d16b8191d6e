import type { LookupAddress, LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Destination } from './address-policy.ts'

/** The addresses at which the destination may be reached. Rejects where it may not be. */
export type Addresses = (
  destination: Destination,
  trusted: Destination | null
) => Promise<readonly LookupAddress[]>

/** A lookup as node:net calls it, which answers with what the guard has let through and nothing else. */
export function lookupThrough(
  addresses: (host: string) => Promise<readonly LookupAddress[]>
): LookupFunction {
  return (host, options, callback) => {
    addresses(host).then(
      (found) => {
        const fitting = found.filter(({ family }) => !options.family || family === options.family)
        if ((options as LookupAllOptions).all) return callback(null, [...fitting])
        const first = fitting[0]
        if (first === undefined) return callback(notFound(host), '', 0)
        callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0)
    )
  }
}

function notFound(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
}

/** Where an HTTP call goes, by its URL's parts. */
export function destinationOf(hostname: string, port: string | number, protocol: string): Destination {
  return { host: withoutBrackets(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** As URLs write an IPv6 address. */
export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}
