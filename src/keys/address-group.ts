import { isIP } from 'node:net'

/**
 * What limits per address count by. Of IPv6 a single customer has at least the 2^64 addresses that begin alike, so those
 * count as one.
 */
export function addressGroup(address: string): string {
  const version = isIP(address)
  // Whatever a proxy may have handed on: it is no way to get a limit of one's own.
  if (version === 0) return 'no address'
  if (version === 4) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  const [head = '', tail] = address.split('::')
  const groups = groupsOf(head)
  if (tail !== undefined) {
    const after = groupsOf(tail)
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.replace(/%.*$/, '').split(':')
}
