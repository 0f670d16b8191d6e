import ipaddr from 'ipaddr.js'

interface Embedding {
  readonly network: readonly [ipaddr.IPv6, number]
  /** Where in the sixteen bytes the four are. */
  readonly at: number
  /** What each of them was combined with. */
  readonly mask?: number
}

/** Ways to write an address of IPv4 in one of IPv6. Something on the way may take it out again and go there. */
const EMBEDDINGS: readonly Embedding[] = [
  { network: network('::/96'), at: 12 }, // IPv4-compatible (RFC 4291), given up
  { network: network('::ffff:0:0:0/96'), at: 12 }, // IPv4-translated (RFC 2765)
  { network: network('64:ff9b::/96'), at: 12 }, // NAT64 (RFC 6052)
  { network: network('64:ff9b:1::/48'), at: 12 }, // NAT64 of a local network (RFC 8215)
  { network: network('2002::/16'), at: 2 }, // 6to4 (RFC 3056)
  { network: network('2001::/32'), at: 4 }, // Teredo: its server (RFC 4380)
  { network: network('2001::/32'), at: 12, mask: 0xff } // Teredo: its client
]

/** The addresses of IPv4 that this one may lead to. One that is only written in the way of IPv6 is not among them. */
export function embeddedAddresses(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  if (!isIPv6(address)) return []
  const bytes = address.toByteArray()
  return EMBEDDINGS.filter(({ network: [base, bits] }) => address.match(base, bits)).map(
    ({ at, mask = 0 }) => new ipaddr.IPv4(bytes.slice(at, at + 4).map((byte) => byte ^ mask))
  )
}

export function isIPv6(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}

function network(text: string): readonly [ipaddr.IPv6, number] {
  const [base, bits] = ipaddr.IPv6.parseCIDR(text)
  return [base as ipaddr.IPv6, bits]
}
