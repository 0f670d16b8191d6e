import type { Turns } from '../in-turns.ts'
import { type JsonValue, MAX_DEPTH, parseJson } from './exact-json.ts'
import { readExactlyInTurns } from './read-exactly.ts'
import { MOST_MEMBERS } from './reading-bounds.ts'

/** In characters: what is read at once, which takes a few milliseconds at the most. */
const SHORT = 64 * 1024

/**
 * As parseJson, for text that may be long: `JSON.parse` of megabytes holds the thread for as long as it takes. In long text, one object has
 * up to `mostMembers`.
 */
export function* parseJsonInTurns(
  text: string,
  maxDepth = MAX_DEPTH,
  mostMembers = MOST_MEMBERS
): Turns<JsonValue> {
  return text.length <= SHORT
    ? parseJson(text, maxDepth)
    : yield* readExactlyInTurns(text, maxDepth, mostMembers)
}
