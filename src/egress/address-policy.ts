import ipaddr from 'ipaddr.js'
import { type AllowRule, isInRange, withoutDot } from './allow-list.ts'
import { embeddedAddresses, isIPv6 } from './embedded-ipv4.ts'

/** Where a step wants to go: what it asked for, before a name is looked up. */
export interface Destination {
  readonly host: string
  readonly port: number
}

/** What may be reached besides public addresses. */
interface EgressPolicy {
  readonly allow: readonly AllowRule[]
  /** The address of a connection that an administrator of the root wrote; null for any other call. */
  readonly trusted: Destination | null
}

/** Why an address may not be reached. */
export interface Refusal {
  readonly address: string
  /** What kind of address it is, in words. */
  readonly rule: string
  /** Only an entry that names this very address allows it. */
  readonly onlyByName: boolean
}

/**
 * Addresses at which clouds tell a machine its own credentials. Some lie in networks that are public or may well be
 * allowed, so they are named here one by one.
 */
const METADATA = new Set([
  '169.254.169.254', // AWS, Azure, Google, DigitalOcean, OpenStack
  'fd00:ec2::254', // AWS, over IPv6
  'fd20:ce::254', // Google, over IPv6
  'fd00:42::42', // Scaleway, over IPv6
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle
  '168.63.129.16' // Azure's own services for its machines
])

/** What a range of ipaddr.js is called by people. */
const RANGE_WORDS: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  loopback: 'an address of this very machine',
  carrierGradeNat: 'an address of a provider’s inner network',
  private: 'an address of a private network',
  uniqueLocal: 'an address of a private network'
}

/** The first reason why the destination may not be reached at these addresses; undefined where it may. */
export function refusalOf(
  destination: Destination,
  addresses: readonly string[],
  policy: EgressPolicy
): Refusal | undefined {
  for (const address of addresses) {
    const refusal = refusalOfAddress(destination, address, policy)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function refusalOfAddress(to: Destination, address: string, policy: EgressPolicy): Refusal | undefined {
  if (!ipaddr.isValid(address)) return { address, rule: 'no address', onlyByName: true }
  // An IPv4 address that is written as one of IPv6 is judged as what it is.
  const parsed = ipaddr.process(address)
  const rules = policy.allow.filter(({ port }) => port === null || port === to.port)
  if (isNeverMeant(parsed)) {
    const isNamed = rules.some(
      (rule) => rule.kind === 'range' && rule.range.isSingle && isInRange(parsed, rule.range)
    )
    return isNamed ? undefined : { address, rule: 'a link-local or metadata address', onlyByName: true }
  }
  const range = parsed.range()
  if (isPublic(parsed, range) || isTrusted(to, policy.trusted)) return undefined
  const isAllowed = rules.some((rule) =>
    rule.kind === 'host' ? rule.host === nameOf(to) : isInRange(parsed, rule.range)
  )
  if (isAllowed) return undefined
  return { address, rule: wordsFor(range), onlyByName: false }
}

/** Of IPv6 only 2000::/3 is given to networks: in all the rest nothing is public, whatever is made of it some day. */
const GLOBAL_UNICAST: readonly [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  return range === 'unicast' && (!isIPv6(address) || address.match(...GLOBAL_UNICAST))
}

function wordsFor(range: string): string {
  if (range === 'unicast') return 'an address that is not public'
  return RANGE_WORDS[range] ?? `an address of the range "${range}"`
}

function isNeverMeant(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return [address, ...embeddedAddresses(address)].some(
    (one) => one.range() === 'linkLocal' || METADATA.has(one.toString())
  )
}

function isTrusted(to: Destination, trusted: Destination | null): boolean {
  return trusted !== null && trusted.port === to.port && nameOf(trusted) === nameOf(to)
}

function nameOf({ host }: Destination): string {
  return withoutDot(host.toLowerCase())
}
