import type { Destination } from '../../egress/address-policy.ts'
import { destinationOf } from '../../egress/guarded-lookup.ts'

export function destinationsOfUrl(given: unknown): Destination[] {
  if (typeof given !== 'string' || !URL.canParse(given)) return []
  const { hostname, port, protocol } = new URL(given)
  return [destinationOf(hostname, port, protocol)]
}
