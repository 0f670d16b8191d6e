/** By what a request that comes again is known: something that its sender gives to one delivery and to no other. */
export interface Delivery {
  /** A digest of the flow, of what kind of name it is, and of the name. */
  readonly key: string
  /** A digest of the body, where the same name with another body is a mistake; else null. */
  readonly body: string | null
}

/** A delivery that started a run. The run itself may be gone: retention deletes it, and the delivery stays known. */
export interface KnownDelivery {
  readonly runId: string
  readonly body: string | null
  readonly acceptedAt: number
}

/** For so long a delivery that comes again starts nothing. */
export const KNOWN_FOR_MS = 24 * 60 * 60 * 1000

export type Repetition =
  | { readonly verdict: 'duplicate'; readonly runId: string }
  | { readonly verdict: 'other body'; readonly runId: string }

/** Whether a request that arrives now came before, by any of its names; undefined where it did not. */
export function findRepetition(
  deliveries: readonly Delivery[],
  now: number,
  find: (key: string) => KnownDelivery | undefined
): Repetition | undefined {
  for (const { key, body } of deliveries) {
    const known = find(key)
    if (known === undefined || isForgotten(known, now)) continue
    const { runId } = known
    return { verdict: body === null || body === known.body ? 'duplicate' : 'other body', runId }
  }
  return undefined
}

function isForgotten({ acceptedAt }: KnownDelivery, now: number): boolean {
  return acceptedAt <= now - KNOWN_FOR_MS
}
