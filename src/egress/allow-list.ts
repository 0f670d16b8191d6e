import ipaddr from 'ipaddr.js'

/** One entry of MILLRACE_EGRESS_ALLOW. A port that is null is any port. */
export type AllowRule =
  | { readonly kind: 'host'; readonly host: string; readonly port: number | null }
  | { readonly kind: 'range'; readonly range: Range; readonly port: number | null }

interface Range {
  readonly base: ipaddr.IPv4 | ipaddr.IPv6
  readonly bits: number
  /** One address and not a network: only so are link-local and metadata addresses allowed. */
  readonly isSingle: boolean
}

const HOST = /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/
const BRACKETED = /^\[([^\]]+)\](?::(\d+))?$/

/**
 * Reads an entry: `db.internal`, `db.internal:5432`, `127.0.0.1:11434`, `10.0.0.0/8`, `[::1]:5432`, `fd00::/8`.
 * Throws with words for the operator.
 */
export function readAllowRule(entry: string): AllowRule {
  const { place, port } = splitPort(entry.trim().toLowerCase())
  const range = readRange(place)
  if (range !== undefined) return { kind: 'range', range, port }
  // Digits and dots that are no address are a mistyped one, and no name.
  if (HOST.test(place) && !/^[\d.]+$/.test(place)) return { kind: 'host', host: withoutDot(place), port }
  throw new TypeError(
    `"${entry}" is neither a host, an address nor a network. Write them like db.internal, 127.0.0.1:11434, 10.0.0.0/8 or [fd00::1]:5432.`
  )
}

export function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, { base, bits }: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

/** A name with the dot of the root behind it is the same name. */
export function withoutDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host
}

function splitPort(entry: string): { place: string; port: number | null } {
  const bracketed = BRACKETED.exec(entry)
  if (bracketed !== null) return { place: bracketed[1]!, port: readPort(entry, bracketed[2]) }
  const colons = entry.split(':')
  // More than one colon is an IPv6 address without brackets, which cannot have a port.
  if (colons.length !== 2) return { place: entry, port: null }
  return { place: colons[0]!, port: readPort(entry, colons[1]) }
}

function readPort(entry: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new TypeError(`"${entry}" has no port from 1 to 65535 behind its colon.`)
}

function readRange(place: string): Range | undefined {
  if (place.includes('/')) {
    if (!ipaddr.isValidCIDR(place)) return undefined
    const [base, bits] = ipaddr.parseCIDR(place)
    return { base, bits, isSingle: bits === (base.kind() === 'ipv4' ? 32 : 128) }
  }
  // Four decimal parts only: 127.1 and 0x7f000001 are addresses to some programs and names to others.
  if (!ipaddr.IPv4.isValidFourPartDecimal(place) && !ipaddr.IPv6.isValid(place)) return undefined
  const base = ipaddr.process(place)
  return { base, bits: base.kind() === 'ipv4' ? 32 : 128, isSingle: true }
}
