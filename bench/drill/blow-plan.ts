export type MemberName = 'web-1' | 'web-2' | 'worker-1' | 'worker-2'

/** What happens to a cluster, and when, in milliseconds from the first request on. */
export type Blow =
  /** SIGKILL. It is started again at once, as whatever runs it would. */
  | { readonly atMs: number; readonly on: MemberName | 'trigger-owner' }
  /** Restarted, after ending by itself or as by a power cut. */
  | { readonly atMs: number; readonly on: 'database'; readonly how: 'fast' | 'crash' }

export const memberNames: readonly MemberName[] = ['web-1', 'web-2', 'worker-1', 'worker-2']

/** Whoever has the triggers is one of them. */
const VICTIMS = [...memberNames, 'trigger-owner'] as const

const SHORTEST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 4_000

/** Somebody is killed every few seconds, whoever it is, and the database is restarted once in each half. */
export function planBlows(seconds: number, random: () => number): Blow[] {
  const between = (low: number, high: number) => low + random() * (high - low)
  const end = seconds * 1000
  const blows: Blow[] = [
    { atMs: between(0.2, 0.45) * end, on: 'database', how: 'fast' },
    { atMs: between(0.55, 0.8) * end, on: 'database', how: 'crash' }
  ]
  const pause = () => between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS)
  for (let atMs = pause(); atMs < end; atMs += pause()) {
    blows.push({ atMs, on: VICTIMS[Math.floor(random() * VICTIMS.length)]! })
  }
  return blows.sort((a, b) => a.atMs - b.atMs)
}
