import type { Turns } from '../in-turns.ts'
import type { JsonValue } from './exact-number.ts'
import { ExactReading } from './exact-reading.ts'
import {
  BeyondBounds,
  type Bounds,
  BrokenJson,
  NO_BOUNDS,
  type ReadingBounds,
  RepeatedName
} from './reading-bounds.ts'

/**
 * JSON.parse that keeps each number as it was written which JavaScript would print differently. JSON.parse with a reviver
 * gives the same and takes 1.5 µs for each value, numbers or not: half a second for the largest body.
 */
export function readExactly(text: string): JsonValue {
  const reading = new ExactReading(text)
  try {
    reading.goOn(Number.POSITIVE_INFINITY)
  } catch {
    // What is wrong with it, in the words that all others are refused with.
    return JSON.parse(text)
  }
  return reading.whole
}

/** In characters: what takes well below a millisecond. */
const STRETCH = 16 * 1024

/** The same for text of any length, and of at most so many levels. */
export function* readExactlyInTurns(text: string, maxDepth: number, mostMembers: number): Turns<JsonValue> {
  const { whole } = yield* readInTurns(text, { ...NO_BOUNDS, depth: maxDepth, members: mostMembers })
  return whole
}

/** Numbers are those of JavaScript, as JSON.parse gives them. Throws BeyondBounds, RepeatedName or BrokenJson. */
export function* readPlainlyInTurns(text: string, most: ReadingBounds): Turns<unknown> {
  const { whole } = yield* readInTurns(text, { ...NO_BOUNDS, ...most, isPlain: true })
  return whole
}

function* readInTurns(text: string, bounds: Bounds): Turns<ExactReading> {
  const reading = new ExactReading(text, { ...bounds, piece: STRETCH })
  while (!goOn(reading)) yield
  return reading
}

function goOn(reading: ExactReading): boolean {
  try {
    return reading.goOn(STRETCH)
  } catch (error) {
    if (error instanceof BeyondBounds || error instanceof RepeatedName) throw error
    // JSON.parse has better words, and would take as long as it takes to come to the fault.
    throw new BrokenJson(reading.at)
  }
}
