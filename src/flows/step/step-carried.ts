import type { JsonValue } from '../json/exact-json.ts'

/** What attempts at a step leave for later ones, in the order in which it was left, also when the process dies. */
export interface Carried {
  /** What earlier attempts have left; nothing in the first. */
  earlier(): Promise<readonly JsonValue[]>
  /** Leaves something more. With `isFirst` what was left before is of no use any more. */
  add(value: JsonValue, isFirst: boolean): Promise<void>
}
