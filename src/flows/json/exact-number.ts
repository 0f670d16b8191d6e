/**
 * JSON in and out without losing a digit: a number that JavaScript would print differently from how it was
 * sent (64-bit ids, `1.10`, `1e400`, `-0`) is carried as an ExactNumber; all others stay plain numbers.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | JsonValue[]
  | { [key: string]: JsonValue }

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

// The standard typings do not know source text access yet; Node 24 does.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    // rawJSON would print any JSON text, so a careless source could turn a number into something else.
    if (!JSON_NUMBER.test(source)) throw new TypeError(`"${source.slice(0, 40)}" is not a JSON number`)
    this.source = source
  }

  toJSON(): object {
    return rawJSON(this.source)
  }

  toString(): string {
    return this.source
  }

  valueOf(): number {
    return Number(this.source)
  }
}

/** A bigint, to be written as an integer. */
export function rawInteger(value: bigint): object {
  return rawJSON(String(value))
}
