import { ExactNumber, isPlainObject, type JsonValue } from '../../plugin-api.ts'

/** Of all lists in a value, at any depth. */
export function longestList(value: unknown): number {
  if (Array.isArray(value))
    return value.reduce((longest: number, item) => Math.max(longest, longestList(item)), value.length)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((longest: number, item) => Math.max(longest, longestList(item)), 0)
}

/** CEL knows no numbers of ours: whole ones become its int, which is exact, others a double. */
export function withPlainNumbers(value: JsonValue): unknown {
  if (value instanceof ExactNumber) return plainNumber(value)
  if (Array.isArray(value)) {
    const items = value.map(withPlainNumbers)
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isPlainObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, withPlainNumbers(member)] as const)
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members)
}

function plainNumber({ source }: ExactNumber): bigint | number {
  // CEL has integers of 64 bits.
  return /^-?\d{1,18}$/.test(source) ? BigInt(source) : Number(source)
}
