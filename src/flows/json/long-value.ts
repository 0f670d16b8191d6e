/** Where a long value is stored: in pieces of JSON text that belong to a run. */
export type LongRef = readonly [seq: number, name: string, pieces: number, bytes: number]

/** A long value that is not in memory. */
export class LongValue {
  readonly ref: LongRef

  constructor(ref: LongRef) {
    this.ref = ref
  }

  get bytes(): number {
    return this.ref[3]
  }

  /** Whoever writes it without reading it leaves it out. */
  toJSON(): null {
    return null
  }
}

export function isLongValue(value: unknown): value is LongValue {
  return value instanceof LongValue
}
