import type { FieldPacket, TypedParameter } from 'mysql2'
import { ExactNumber, type JsonValue } from '../../plugin-api.ts'
import type { SqlValue } from './bind-statement.ts'
import { exactJson, exactNumber, isoMoment, shortFloat } from './exact-value.ts'

/** Numbers of column types that are not read as they come. */
const FLOAT = 4
const TIMESTAMP = 7
const LONGLONG = 8
const DATETIME = 12
const BIT = 16
const JSON_TYPE = 245
const DECIMALS: readonly (number | undefined)[] = [0, 246]

/** What a column's values become. */
export function readColumn({ columnType, extendedFormat }: FieldPacket): (value: unknown) => JsonValue {
  const read = readerOf(columnType, extendedFormat === 'json')
  return (value) => (value === null || value === undefined ? null : read(value))
}

function readerOf(type: number | undefined, isJson: boolean): (value: unknown) => JsonValue {
  if (type === JSON_TYPE || isJson) return (value) => exactJson(String(value))
  if (type === LONGLONG || DECIMALS.includes(type)) return (value) => exactNumber(String(value))
  if (type === DATETIME || type === TIMESTAMP) return (value) => isoMoment(String(value))
  if (type === FLOAT) return (value) => shortFloat(Number(value))
  if (type === BIT) return (value) => exactNumber(readBits(value as Buffer))
  return plain
}

function plain(value: unknown): JsonValue {
  if (Buffer.isBuffer(value)) return value.toString('base64')
  return value as JsonValue
}

function readBits(bits: Buffer): string {
  return bits.length === 0 ? '0' : BigInt(`0x${bits.toString('hex')}`).toString()
}

/**
 * As the driver takes it. Left to itself it sends every number as a double, which a LIMIT does not take and in which a
 * long one loses digits.
 */
export function writeValue(value: SqlValue, types: TypedParameter): Written {
  if (typeof value === 'boolean') return types.TINY(value ? 1 : 0)
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return value
  const text = String(value)
  if (/[eE]/.test(text)) return Number(text)
  if (text.includes('.')) return types.NEWDECIMAL(text)
  const whole = BigInt(text)
  if (BigInt.asIntN(64, whole) === whole) return types.LONGLONG(whole)
  if (BigInt.asUintN(64, whole) === whole) return types.LONGLONG.unsigned(whole)
  return types.NEWDECIMAL(text)
}

type Written = null | number | string | ReturnType<TypedParameter['TINY']>
