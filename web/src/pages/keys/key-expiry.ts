const DAY = 24 * 60 * 60 * 1000

/** How long a key is to be good, as it is offered. */
export const LIFETIMES = [
  { value: 'never', label: 'Until it is revoked', days: null },
  { value: '7', label: '7 days', days: 7 },
  { value: '30', label: '30 days', days: 30 },
  { value: '90', label: '90 days', days: 90 },
  { value: '365', label: '1 year', days: 365 }
] as const

/** Those that whoever makes the key can give: none is good for longer than their own key. */
export function lifetimesWithin(ownExpiry: string | null, now: number): { value: string; label: string }[] {
  return LIFETIMES.flatMap(({ value, label, days }): { value: string; label: string }[] => {
    if (ownExpiry === null) return [{ value, label }]
    if (days === null) return [{ value, label: 'As long as your own key' }]
    return now + days * DAY <= Date.parse(ownExpiry) ? [{ value, label }] : []
  })
}

export function expiryAfter(lifetime: string, now: number): string | null {
  const days = LIFETIMES.find(({ value }) => value === lifetime)?.days ?? null
  return days === null ? null : new Date(now + days * DAY).toISOString()
}

type Standing = 'lasting' | 'good' | 'ending' | 'expired'

/** A week before a key ends there is still time to put another in its place. */
export function standingOf(expiresAt: string | null, now: number): Standing {
  if (expiresAt === null) return 'lasting'
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return 'expired'
  return left < 7 * DAY ? 'ending' : 'good'
}
