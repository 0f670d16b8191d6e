import type { JsonValue } from '../../plugin-api.ts'

/** What is known of a row. ASK: only CEL can tell, as a key is absent or a value of another type than expected. */
export const [NO, YES, ASK] = [0, 1, 2] as const

/** One verdict for each row. */
export type ColumnCondition = (rows: readonly JsonValue[]) => Uint8Array
