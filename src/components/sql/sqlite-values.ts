import { ExactNumber, type JsonValue } from '../../plugin-api.ts'
import type { SqlValue } from './bind-statement.ts'
import type { SqliteValue } from './sqlite-messages.ts'

export function readValue(value: SqliteValue): JsonValue {
  if (typeof value === 'bigint') return readWhole(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

function readWhole(value: bigint): JsonValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : new ExactNumber(String(value))
}

/**
 * SQLite has whole numbers of 64 bits and doubles. A number that is neither goes as text, with all its digits: a column
 * of numbers takes of it what it can hold.
 */
export function writeValue(value: SqlValue): SqliteValue {
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (!(value instanceof ExactNumber)) return value
  const { source } = value
  if (/^-?\d+$/.test(source)) {
    const whole = BigInt(source)
    return BigInt.asIntN(64, whole) === whole ? whole : source
  }
  return isDouble(source) ? Number(source) : source
}

/** Whether a double prints the same digits, but for zeros at the end. */
function isDouble(source: string): boolean {
  return String(Number(source)) === source.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
}
