import { randomFillSync } from 'node:crypto'

/** Time, chance and identity, passed in so that tests decide them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds from any fixed moment, monotonic. */
  stopwatch(): number
  random(): number
  startTimer(ms: number, then: () => void): { stop(): void }
  /** Runs as soon as what has arrived meanwhile has been looked at. */
  soon(then: () => void): void
  /** A UUID of version 7: ids made later sort later, so an index on them grows at its end. */
  newId(): string
}

export function systemClock(): Clock {
  const newId = timeOrderedIds(Date.now)
  return {
    now: () => Date.now(),
    stopwatch: () => performance.now(),
    random: () => Math.random(),
    startTimer(ms, then) {
      // Beyond this a timer would fire at once; whoever waits longer looks again when it does.
      const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1))
      timer.unref()
      return { stop: () => clearTimeout(timer) }
    },
    soon: (then) => void setImmediate(then),
    newId
  }
}

/** Random bits are drawn for a thousand ids at once: one draw per id costs as much as the rest of the id. */
export function timeOrderedIds(now: () => number): () => string {
  const pool = Buffer.allocUnsafe(8 * 1024)
  let used = pool.length
  let lastMs = 0
  let counter = 0
  return () => {
    if (used >= pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const ms = Math.max(now(), lastMs)
    // The 12 bits after the version count within a millisecond, so order holds there too.
    counter = ms === lastMs ? counter + 1 : pool.readUInt16BE(used) & 0x1ff
    lastMs = counter > 0xfff ? ms + 1 : ms
    counter &= 0xfff
    const time = lastMs.toString(16).padStart(12, '0')
    const tail = pool.toString('hex', used, used + 8)
    used += 8
    const variant = ((Number.parseInt(tail[0]!, 16) & 0x3) | 0x8).toString(16)
    const count = counter.toString(16).padStart(3, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`
  }
}
