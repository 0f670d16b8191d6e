import assert from 'node:assert/strict'
import type { Pacer } from '../../src/flows/in-turns.ts'

/** Work on something of a size. What it needs is made before, and is not measured. */
export type Work = (pacer: Pacer) => unknown

/** One shape of what somebody can send or write. */
export interface Shape {
  readonly name: string
  /** The smallest size of three; the largest is four times as large. */
  readonly n: number
  make(n: number): Work
  /** Where the largest is known to take a longer turn. */
  readonly turnMs?: number
}

interface Measured {
  readonly ms: number
  readonly longestTurnMs: number
}

/** No turn may be longer, at the largest size, on a core that nobody else uses. */
const LONGEST_TURN_MS = 50
/** What the reference took at best on the machine that this was written on. */
const REFERENCE_MS = 16
const REFERENCE = `[${'{"a":1},'.repeat(130_000)}1]`
/** The time of a thread is counted in ticks of this length on some machines. */
const TICK_MS = 4
/** As much as a turn takes before it ends, in the service as well. */
const TURN_MS = 8
/** A few of what is large are as many as it is made of: by their own number, n² of eight things would pass. */
const SMALLEST = 1_000
/** What caches and the collection of garbage may add to n log n; n² would be 3.5 times that. */
const SLACK = 2
const TRIES = 4

/** Of this thread alone: others may have the processor meanwhile. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * How much longer things take now: who shares a core with others shares its caches, and its time counts as if it had them;
 * and whatever else the process holds is looked through for garbage meanwhile.
 */
function slowness(): number {
  const since = cpuMs()
  for (let at = 0; at < 3; at++) JSON.parse(REFERENCE)
  return Math.max(1, (cpuMs() - since) / 3 / REFERENCE_MS)
}

async function measure(shape: Shape, n: number): Promise<Measured> {
  const work = shape.make(n)
  let longestTurnMs = 0
  let ms = 0
  let since = cpuMs()
  let isOver = false
  const endTurn = () => {
    const turn = cpuMs() - since
    longestTurnMs = Math.max(longestTurnMs, turn)
    ms += turn
    since = cpuMs()
  }
  const endTurns = () => {
    if (isOver) return
    endTurn()
    setImmediate(endTurns)
  }
  const pause = () =>
    cpuMs() - since < TURN_MS ? undefined : new Promise<void>((resolve) => setImmediate(resolve))
  try {
    const result = work({ pause })
    if (result instanceof Promise) {
      setImmediate(endTurns)
      await result
    }
  } catch {
    // What is refused is bounded.
  }
  isOver = true
  endTurn()
  return { ms, longestTurnMs }
}

async function best(shape: Shape, n: number, tries: number): Promise<Measured> {
  let found = await measure(shape, n)
  for (let at = 1; at < tries; at++) {
    const again = await measure(shape, n)
    found = {
      ms: Math.min(found.ms, again.ms),
      longestTurnMs: Math.min(found.longestTurnMs, again.longestTurnMs)
    }
  }
  return found
}

/** Undefined where the work grows as it may. */
async function wrongGrowth(shape: Shape, tries: number): Promise<string | undefined> {
  const { n } = shape
  const large = await best(shape, 4 * n, tries)
  const longest = shape.turnMs ?? LONGEST_TURN_MS
  if (large.longestTurnMs > longest && large.longestTurnMs > longest * slowness())
    return `a turn of ${large.longestTurnMs.toFixed(0)} ms at ${4 * n}`
  const size = Math.max(n, SMALLEST)
  const most = 4 * (Math.log(4 * size) / Math.log(size)) * SLACK
  // Whatever the smallest takes: nobody waits, and nothing is told from noise.
  if (large.ms <= TICK_MS * most) return undefined
  const small = await best(shape, n, tries)
  const allowed = Math.max(small.ms, TICK_MS) * most
  // Only where it decides: to ask takes 50 ms.
  if (large.ms <= allowed || large.ms <= allowed * slowness()) return undefined
  const middle = await best(shape, 2 * n, tries)
  return `${[small, middle, large].map(({ ms }) => ms.toFixed(1)).join(', ')} ms for ${n}, ${2 * n}, ${4 * n}`
}

/** Holds that the work grows no faster than n log n, and that no turn is longer than 50 ms. Tried again where it does not. */
export async function assertGrowth(shape: Shape): Promise<void> {
  let wrong = await wrongGrowth(shape, 1)
  for (let tries = 2; wrong !== undefined && tries <= TRIES; tries++) wrong = await wrongGrowth(shape, tries)
  assert.equal(wrong, undefined, shape.name)
}
