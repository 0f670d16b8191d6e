import type { KeptQuestion, KeptSummary, KeptValue } from '../kept-values.ts'

/** A row of kept_values, in either database. */
export interface KeptRow {
  readonly context: string
  readonly key: string
  readonly value: string
  readonly updated_at: number
  readonly expires_at: number | null
}

export interface KeptSummaryRow extends Omit<KeptRow, 'value'> {
  readonly value_start: string
  readonly value_length: number
}

/** The end of 9999. Earlier versions took times that no clock comes to, and nobody could read them again. */
export const LATEST_EXPIRY = 253_402_300_799_999

function expiryOf({ expires_at }: Pick<KeptRow, 'expires_at'>): number | null {
  return expires_at === null ? null : Math.min(expires_at, LATEST_EXPIRY)
}

export function keptValue(row: KeptRow): KeptValue {
  const { context, key, value } = row
  return { context, key, value, updatedAt: row.updated_at, expiresAt: expiryOf(row) }
}

/** In the order of the columns. */
export function keptColumns({ context, key, value, updatedAt, expiresAt }: KeptValue) {
  return [context, key, value, updatedAt, expiresAt] as const
}

/** Undefined where its time is over. */
export function unexpired(value: KeptValue | undefined, now: number): KeptValue | undefined {
  return value?.expiresAt != null && value.expiresAt <= now ? undefined : value
}

/** The last character there is: every key with a prefix comes before the prefix with this one behind it. */
const LAST_CHARACTER = '\u{10FFFF}'

/** The keys to look at: after the first, and before the second. */
export function keyRange({ prefix = '', after }: KeptQuestion): {
  from: string
  after: string
  below: string
} {
  return { from: prefix, after: after ?? '', below: prefix + LAST_CHARACTER }
}

/** One row more than the page takes tells whether there is a next one. */
export function keptPage(
  rows: readonly KeptSummaryRow[],
  limit: number
): { values: KeptSummary[]; next: string | null } {
  const values = rows.slice(0, limit).map((row) => ({
    context: row.context,
    key: row.key,
    valueStart: row.value_start,
    valueLength: row.value_length,
    updatedAt: row.updated_at,
    expiresAt: expiryOf(row)
  }))
  return { values, next: rows.length > limit ? values.at(-1)!.key : null }
}

/** A context that is at another path than before; one that is new comes from nowhere. */
export interface ContextPathMove {
  readonly from: string | undefined
  readonly to: string
}

/** All out first, under paths that nobody can have: while a subtree moves, one may go where another still stands. */
export function inTwoSteps(moves: readonly ContextPathMove[]): { from: string; to: string }[] {
  const moved = moves.flatMap(({ from, to }) => (from === undefined || from === to ? [] : [{ from, to }]))
  return [
    ...moved.map(({ from, to }) => ({ from, to: `moving:${to}` })),
    ...moved.map(({ to }) => ({ from: `moving:${to}`, to }))
  ]
}
