const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Ranges that end now, and how finely a plot of each is cut. */
export const RANGES = [
  { name: '1h', label: 'Last hour', ms: HOUR, bucket: MINUTE },
  { name: '24h', label: 'Last 24 hours', ms: DAY, bucket: 30 * MINUTE },
  { name: '7d', label: 'Last 7 days', ms: 7 * DAY, bucket: 3 * HOUR },
  { name: '30d', label: 'Last 30 days', ms: 30 * DAY, bucket: 12 * HOUR }
] as const

export type RangeName = (typeof RANGES)[number]['name']

export function isRangeName(text: string): text is RangeName {
  return RANGES.some(({ name }) => name === text)
}

export function rangeStart(name: RangeName, now: number): number {
  return now - rangeOf(name).ms
}

export function rangeOf(name: RangeName) {
  return RANGES.find((range) => range.name === name)!
}

/** Spans of one length, one after the other. */
export interface Buckets {
  readonly from: number
  readonly width: number
  readonly count: number
}

/** Buckets of a range that ends now. They begin at round times of this place, so that they stay as time goes on. */
export function bucketsOfRange(name: RangeName, now: number, offsetMs: number): Buckets {
  const { ms, bucket } = rangeOf(name)
  const end = Math.ceil((now + offsetMs) / bucket) * bucket - offsetMs
  return { from: end - ms, width: bucket, count: ms / bucket }
}

const MOST_BUCKETS = 60
const WIDTHS = [
  1,
  10,
  100,
  1000,
  5000,
  15_000,
  30_000,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY
]

/** Buckets that cover a time that somebody chose, of a length that people count in. */
export function bucketsBetween(since: number, until: number, offsetMs: number): Buckets {
  const span = Math.max(until - since, 1)
  const days = Math.ceil(span / DAY / MOST_BUCKETS) * DAY
  const width = WIDTHS.find((candidate) => span / candidate <= MOST_BUCKETS) ?? days
  const from = Math.floor((since + offsetMs) / width) * width - offsetMs
  return { from, width, count: Math.max(1, Math.ceil((until - from) / width)) }
}
