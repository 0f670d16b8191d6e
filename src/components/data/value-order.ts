import { ExactNumber, type JsonValue } from '../../plugin-api.ts'

/** How values stand to each other, as `Array.sort` wants it. */
export type Compare<T> = (one: T, other: T) => number

/** Kinds of values, in their order: numbers before texts, before true and false, before all else. */
const [NUMBERS, TEXTS, BOOLEANS, OTHERS] = [0, 1, 2, 3] as const

function kindOf(value: JsonValue): number {
  if (typeof value === 'number' || value instanceof ExactNumber) return NUMBERS
  if (typeof value === 'string') return TEXTS
  return typeof value === 'boolean' ? BOOLEANS : OTHERS
}

export const compareTexts: Compare<string> = (one, other) => (one < other ? -1 : one > other ? 1 : 0)

/** Numbers as numbers, with every digit; texts as `texts` says; lists and objects stay as they are. */
export function compareValues(
  one: JsonValue,
  other: JsonValue,
  texts: Compare<string> = compareTexts
): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string') return texts(one, other)
  const kind = kindOf(one)
  const difference = kind - kindOf(other)
  if (difference !== 0 || kind === OTHERS) return difference
  return kind === NUMBERS ? compareExact(String(one), String(other)) : Number(one) - Number(other)
}

function compareExact(one: string, other: string): number {
  const [left, right] = [Number(one), Number(other)]
  return left === right ? compareWritten(one, other) : left - right
}

/** Numbers whose doubles are the same: two integers of more digits than a double has are compared as they are written. */
export function compareWritten(one: string, other: string): number {
  const areWhole = /^-?\d+$/.test(one) && /^-?\d+$/.test(other)
  return areWhole ? compareDigits(one, other) : 0
}

/** Of the same sign, since doubles told no difference. Texts, as a number of a million digits is a text that somebody sent. */
function compareDigits(one: string, other: string): number {
  const side = one.startsWith('-') ? -1 : 1
  return side * (one.length - other.length || compareTexts(one, other))
}

/** What is read of a value to compare it, in characters. */
export function lengthOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.length
  return value instanceof ExactNumber ? value.source.length : 0
}
