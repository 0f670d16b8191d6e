/** Chance that a seed decides: the same seed gives the same numbers. */
export interface SeededRandom {
  /** 0 to 1, without 1. */
  next(): number
  /** A whole number from 0, below this one. */
  below(count: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Another stream, which what is drawn here does not change. */
  fork(name: string): SeededRandom
}

export function seededRandom(seed: number | string): SeededRandom {
  let state = hashOf(String(seed))
  // Mulberry32: a few lines, and good enough to choose what happens next.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)]!,
    fork: (name) => seededRandom(`${seed}/${name}`)
  }
}

/** 32 bits of FNV-1a. */
export function hashOf(text: string, from = 0x811c9dc5): number {
  let hash = from | 0
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
