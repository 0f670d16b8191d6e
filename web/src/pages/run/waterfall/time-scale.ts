import type { Bar } from './bars.ts'

/** A stretch of the line of time. One in which nothing happened for long is folded: drawn short, whatever it lasted. */
interface Segment {
  readonly from: number
  readonly to: number
  readonly isFolded: boolean
  /** Between 0 and 1. */
  readonly begin: number
  readonly end: number
}

interface Fold {
  readonly begin: number
  readonly end: number
  readonly lastedMs: number
}

export interface TimeScale {
  /** Where a moment stands, between 0 and 1. */
  readonly place: (ms: number) => number
  readonly ticks: readonly { readonly ms: number; readonly place: number }[]
  readonly folds: readonly Fold[]
}

/** A gap is folded when it lasted so many times as long as all that happened, and so long that somebody would notice. */
const FOLD_FACTOR = 3
const FOLD_FROM_MS = 1000
const FOLD_WIDTH = 0.07

/**
 * From 0 to the end. Steps of milliseconds and a wait of an hour between them are seen together: without folds one of
 * them would be a hairline.
 */
export function timeScale(bars: readonly Bar[], end: number): TimeScale {
  const total = Math.max(end, 0.001)
  const segments = widths(split(busyTimes(bars), total))
  const place = (ms: number) => {
    const clamped = Math.max(0, Math.min(total, ms))
    const segment = segments.find(({ to }) => clamped <= to) ?? segments.at(-1)!
    const length = segment.to - segment.from
    const part = length === 0 ? 0 : (clamped - segment.from) / length
    return segment.begin + part * (segment.end - segment.begin)
  }
  const folds = segments
    .filter(({ isFolded }) => isFolded)
    .map(({ from, to, begin, end }) => ({ begin, end, lastedMs: to - from }))
  return { place, folds, ticks: ticksIn(segments, place) }
}

/** When some step was at work, in order and without overlaps. */
function busyTimes(bars: readonly Bar[]): [from: number, to: number][] {
  const busy: [number, number][] = []
  const work = bars.filter(({ kind }) => kind === 'attempt').toSorted((a, b) => a.from - b.from)
  for (const { from, to } of work) {
    const last = busy.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else busy.push([from, to])
  }
  return busy
}

type Stretch = Pick<Segment, 'from' | 'to' | 'isFolded'>

function split(busy: readonly (readonly [number, number])[], total: number): Stretch[] {
  const worked = busy.reduce((sum, [from, to]) => sum + to - from, 0)
  const isLong = (ms: number) => busy.length > 0 && ms >= FOLD_FROM_MS && ms > FOLD_FACTOR * worked
  const stretches: Stretch[] = []
  let at = 0
  for (const [from, to] of [...busy, [total, total] as const]) {
    if (from > at) stretches.push({ from: at, to: from, isFolded: isLong(from - at) })
    if (to > from) stretches.push({ from, to, isFolded: false })
    at = Math.max(at, to)
  }
  return stretches.length === 0 ? [{ from: 0, to: total, isFolded: false }] : stretches
}

function widths(stretches: readonly Stretch[]): Segment[] {
  const folds = stretches.filter(({ isFolded }) => isFolded).length
  const open = stretches.reduce((sum, { from, to, isFolded }) => sum + (isFolded ? 0 : to - from), 0)
  // Many folds share half of the width at the most.
  const fold = folds === 0 ? 0 : Math.min(FOLD_WIDTH, 0.5 / folds)
  const rest = open === 0 ? 0 : 1 - fold * folds
  let begin = 0
  return stretches.map((stretch) => {
    const { from, to, isFolded } = stretch
    const width = isFolded ? (open === 0 ? 1 / folds : fold) : (rest * (to - from)) / open
    const segment = { ...stretch, begin, end: begin + width }
    begin += width
    return segment
  })
}

const MOST_TICKS = 5
const CLOSEST = 0.12

function ticksIn(segments: readonly Segment[], place: (ms: number) => number): TimeScale['ticks'] {
  const open = segments.filter(({ isFolded }) => !isFolded)
  const length = open.reduce((sum, { from, to }) => sum + to - from, 0)
  const step = roundStep(length / MOST_TICKS)
  const ticks: { ms: number; place: number }[] = []
  for (const { from, to } of open) {
    for (let n = Math.ceil(from / step); n * step <= to; n++) {
      const tick = { ms: n * step, place: place(n * step) }
      if (tick.place - (ticks.at(-1)?.place ?? -1) >= CLOSEST) ticks.push(tick)
    }
  }
  return ticks
}

function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 0.0001)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value) ?? 10 * power
}
