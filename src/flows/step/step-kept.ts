import type { JsonValue } from '../json/exact-json.ts'

export interface KeptFor {
  /** For so long; for ever where it is left out. */
  readonly expiresInMs?: number
}

/**
 * What the flows of a context keep for runs that come later. A step that is tried again, after a crash too, makes none of
 * its changes twice.
 */
export interface KeptValues {
  /** Undefined where nothing is kept under the key, or its time is over. */
  get(key: string): Promise<JsonValue | undefined>
  set(key: string, value: JsonValue, keptFor?: KeptFor): Promise<void>
  /**
   * Adds to a number, one after the other whoever asks, and gives the sum; from 0 where nothing is kept. The time is that of
   * the first increment: those after it leave it as it is.
   */
  increment(key: string, by?: number, keptFor?: KeptFor): Promise<number>
  /** Gives what was kept; undefined where nothing was. */
  remove(key: string): Promise<JsonValue | undefined>
}
