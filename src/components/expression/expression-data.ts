import { ExactNumber, type JsonValue } from '../../plugin-api.ts'

/** CEL knows no numbers of ours. `pay` is called for each value that is looked at, and may throw. */
export function withPlainNumbers(value: JsonValue, pay: () => void): unknown {
  pay()
  if (value instanceof ExactNumber) return plainNumber(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => withPlainNumbers(item, pay))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isData(value)) return value
  if (Object.hasOwn(value, 'constructor')) return withPlainNumbers(withoutConstructor(value), pay)
  const members = Object.entries(value).map(
    ([name, member]) => [name, withPlainNumbers(member, pay)] as const
  )
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members)
}

/** An object of the data. Times and durations of CEL are objects too. */
export function isData(value: unknown): value is Readonly<Record<string, JsonValue>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Whole ones become CEL's int, which is exact, others a double. */
export function plainNumber({ source }: ExactNumber): bigint | number {
  // CEL has integers of 64 bits.
  return /^-?\d{1,18}$/.test(source) ? BigInt(source) : Number(source)
}

type Members = Readonly<Record<string, JsonValue>>

/** An object with a key by which CEL would take it for something else. */
export function isMisleading(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'constructor') && isData(value)
}

/** Conditions cannot read that key, and all others. */
export function withoutConstructor({ constructor: _, ...others }: Members): Members {
  return others
}
