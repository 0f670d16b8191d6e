import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Whether what a proxy at this address says of its caller is believed. `hop`: 0 is whoever is connected to us. */
export type TrustsProxy = (address: string, hop: number) => boolean

/** Ranges that have a name, as Fastify and Express call them. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
}

const MOST_HOPS = 16

/** Reads a number of proxies, or a list of their addresses. Undefined where it is neither. */
export function readTrustedProxies(text: string): TrustsProxy | undefined {
  if (/^\d+$/.test(text)) {
    const hops = Number(text)
    return hops >= 1 && hops <= MOST_HOPS ? (_address, hop) => hop < hops : undefined
  }
  const ranges = text.split(',').flatMap((part) => NAMED[part.trim()] ?? [part.trim()])
  const trusted = new BlockList()
  return ranges.every((range) => addRange(trusted, range)) ? (address) => isIn(trusted, address) : undefined
}

function addRange(list: BlockList, range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  // A prefix of 0 would believe everybody.
  if (version === 0 || rest.length > 0 || !(bits >= 1 && bits <= most)) return false
  list.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6')
  return true
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Whom a request comes from: the nearest address that is not a trusted proxy's, as Fastify tells it in `request.ip`.
 * The way past the router has no such request.
 */
export function clientAddress({ socket, headers }: IncomingMessage, trusts: TrustsProxy | null): string {
  const peer = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (trusts === null || forwarded === undefined) return peer
  const named = String(forwarded)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  let address = peer
  for (let hop = 0; named.length > 0 && trusts(address, hop); hop++) address = named.pop()!
  return address
}
