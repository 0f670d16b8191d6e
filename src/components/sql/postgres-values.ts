import { ExactNumber } from '../../plugin-api.ts'
import type { SqlValue } from './bind-statement.ts'
import { exactJson, exactNumber, finiteNumber, isoMoment, readableJson } from './exact-value.ts'
import { itemsOf, type ReadValue, readArray } from './postgres-arrays.ts'

const asIs: ReadValue = (text) => text
const bytes: ReadValue = (text) =>
  text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : text

/** By the number of the type in pg_type; each with the number of its arrays. */
const TYPES: readonly (readonly [type: number, array: number, read: ReadValue])[] = [
  [16, 1000, (text) => text === 't'], // bool
  [17, 1001, bytes],
  [20, 1016, exactNumber], // int8
  [21, 1005, finiteNumber], // int2
  [23, 1007, finiteNumber], // int4
  [26, 1028, finiteNumber], // oid
  [700, 1021, finiteNumber], // float4
  [701, 1022, finiteNumber], // float8
  [1700, 1231, exactNumber], // numeric
  [114, 199, exactJson], // json
  [3802, 3807, exactJson], // jsonb
  [1114, 1115, isoMoment], // timestamp
  [1184, 1185, isoMoment], // timestamptz
  [1082, 1182, asIs], // date
  [25, 1009, asIs], // text
  [1043, 1015, asIs], // varchar
  [1042, 1014, asIs], // char
  [2950, 2951, asIs] // uuid
]

const READERS = new Map<number, ReadValue>(
  TYPES.flatMap(([type, array, read]) => [
    [type, read],
    [array, (text: string) => readArray(text, read === exactJson ? itemsOf(readableJson) : read)]
  ])
)

export function readerOf(type: number): ReadValue {
  return READERS.get(type) ?? asIs
}

/** As the server reads it: every value is a text on the wire. */
export function writeValue(value: SqlValue): string | null {
  return value === null ? null : String(value)
}

const SMALL = 2 ** 31

/**
 * Says of which type a number or a truth value is, so that it is one where nothing else tells: `select :n`. A text has
 * the type that its place asks for.
 */
export function withType(value: SqlValue, placeholder: string): string {
  if (typeof value === 'boolean') return `cast(${placeholder} as boolean)`
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return placeholder
  const number = Number(value)
  if (!/^-?\d+$/.test(String(value))) return `cast(${placeholder} as numeric)`
  if (number >= -SMALL && number < SMALL) return `cast(${placeholder} as integer)`
  return `cast(${placeholder} as ${isLong(BigInt(String(value))) ? 'bigint' : 'numeric'})`
}

function isLong(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}
