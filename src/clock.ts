import { randomFillSync } from 'node:crypto'

/** Time, chance and identity, passed in so that tests decide them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds from any fixed moment, monotonic. */
  stopwatch(): number
  random(): number
  startTimer(ms: number, then: () => void): { stop(): void }
  /** Resolves after so many milliseconds. */
  after(ms: number): Promise<void>
  /** Runs as soon as what has arrived meanwhile has been looked at. */
  soon(then: () => void): void
  /** A UUID of version 7: ids made later sort later, so an index on them grows at its end. */
  newId(): string
}

export function systemClock(): Clock {
  const newId = timeOrderedIds(Date.now)
  const startTimer: Clock['startTimer'] = (ms, then) => {
    // Beyond this a timer would fire at once; whoever waits longer looks again when it does.
    const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1))
    timer.unref()
    return { stop: () => clearTimeout(timer) }
  }
  return {
    now: () => Date.now(),
    stopwatch: () => performance.now(),
    random: () => Math.random(),
    startTimer,
    after: (ms) => new Promise((resolve) => void startTimer(ms, resolve)),
    soon: (then) => void setImmediate(then),
    newId
  }
}

/**
 * Random bits are drawn and written as text for a thousand ids at once, and the time as text once a millisecond:
 * one by one they would cost more than the rest of accepting a run in memory.
 */
export function timeOrderedIds(
  now: () => number,
  fill: (pool: Buffer) => Buffer = randomFillSync
): () => string {
  const pool = Buffer.allocUnsafe(8 * 1024)
  let random = ''
  let used = 0
  let lastMs = 0
  let time = ''
  let counter = 0
  return () => {
    if (used >= random.length) {
      random = fill(pool).toString('hex')
      used = 0
    }
    const tail = random.slice(used, used + 16)
    used += 16
    // The 12 bits after the version count within a millisecond, so order holds there too; a clock that is set back
    // or a millisecond that is used up counts on in the last one or borrows from the next.
    const ms = Math.max(now(), lastMs)
    counter = ms === lastMs ? counter + 1 : Number.parseInt(tail.slice(0, 2), 16)
    const isUsedUp = counter > 0xfff
    if (isUsedUp) counter = 0
    if (ms !== lastMs || isUsedUp) {
      lastMs = isUsedUp ? ms + 1 : ms
      const text = lastMs.toString(16).padStart(12, '0')
      time = `${text.slice(0, 8)}-${text.slice(8)}`
    }
    return `${time}-7${COUNTS[counter]}-${VARIANTS[tail[0]!]}${tail.slice(1, 4)}-${tail.slice(4)}`
  }
}

const COUNTS = Array.from({ length: 0x1000 }, (_, count) => count.toString(16).padStart(3, '0'))

/** The variant takes two of the four bits of its digit. */
const VARIANTS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, digit) => [digit.toString(16), ((digit & 0x3) | 0x8).toString(16)])
)
