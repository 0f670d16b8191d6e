/** A value that the flows of a context keep under a key, for runs that come later. */
export interface KeptValue {
  readonly context: string
  readonly key: string
  /** JSON text. */
  readonly value: string
  readonly updatedAt: number
  /** From this moment on it is as if it were not there; null where it stays. */
  readonly expiresAt: number | null
}

/** A kept value in a list. Values may be long, so a list shows how each begins. */
export interface KeptSummary extends Omit<KeptValue, 'value'> {
  readonly valueStart: string
  /** In characters. */
  readonly valueLength: number
}

/** So much of a value stands in a list. */
export const VALUE_START = 200

export interface KeptQuestion {
  readonly context: string
  /** What keys begin with. */
  readonly prefix?: string
  /** Only keys after this one: where the last page ended. */
  readonly after?: string
  readonly limit: number
  readonly now: number
}

export type KeptChange = { readonly context: string; readonly key: string; readonly at: number } & (
  | { readonly kind: 'set'; readonly value: string; readonly expiresAt: number | null }
  /** `expiresAt` counts where there is no value yet: further increments leave the end of the time where it is. */
  | { readonly kind: 'increment'; readonly by: number; readonly expiresAt: number | null }
  | { readonly kind: 'remove' }
)

/** Which step makes a change, and which of its changes it is: the same one is made once, however often the step is tried. */
export interface ChangeOrigin {
  readonly runSeq: number
  readonly node: string
  /** Tells the changes of a step apart. */
  readonly change: string
}

/** What came of a change. `value`: what is kept now, or what was removed; null where there was nothing to remove. */
export type KeptResult =
  | { readonly won: true; readonly value: string | null }
  | { readonly won: false; readonly because: 'no_number' | 'number_too_large' }

export interface KeptStore {
  /** Undefined also where its time is over. */
  get(context: string, key: string, now: number): Promise<KeptValue | undefined>
  /** In the order of their keys. */
  list(question: KeptQuestion): Promise<{ values: KeptSummary[]; next: string | null }>
  /** Changes of one value come one after the other, whichever process makes them. */
  change(change: KeptChange, origin?: ChangeOrigin): Promise<KeptResult>
  /** Deletes one slice of the values whose time is over; resolves to how many went. */
  removeExpired(now: number, slice: number): Promise<number>
}

/** What a change makes of a value: the one that is kept from then on, if any, and what is told of it. */
export function changed(
  before: KeptValue | undefined,
  change: KeptChange
): KeptResult & { readonly kept?: KeptValue } {
  const { context, key, at } = change
  if (change.kind === 'remove') return { won: true, value: before?.value ?? null }
  const updated = { context, key, updatedAt: at }
  if (change.kind === 'set') {
    const { value, expiresAt } = change
    return { won: true, value, kept: { ...updated, value, expiresAt } }
  }
  const sum = sumOf(before?.value ?? '0', change.by)
  if (typeof sum !== 'number') return { won: false, because: sum }
  const expiresAt = before === undefined ? change.expiresAt : before.expiresAt
  const value = String(sum)
  return { won: true, value, kept: { ...updated, value, expiresAt } }
}

function sumOf(value: string, by: number): number | 'no_number' | 'number_too_large' {
  const number: unknown = JSON.parse(value)
  if (typeof number !== 'number') return 'no_number'
  const sum = number + by
  // Beyond it a count would stand still.
  return Math.abs(sum) > Number.MAX_SAFE_INTEGER ? 'number_too_large' : sum
}

/** What is remembered of a change that a step has made. The value that was set stands in the step's own words already. */
export function toRemember(change: KeptChange, value: string | null): string | null {
  return change.kind === 'set' ? null : value
}

/** What came of a change that its step has made before. */
export function madeBefore(change: KeptChange, remembered: string | null): KeptResult {
  return { won: true, value: change.kind === 'set' ? change.value : remembered }
}
