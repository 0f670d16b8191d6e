/**
 * Arrays in PostgreSQL's binary format. The driver sends what is a Buffer as it is: nothing is quoted here or read
 * character by character there.
 */
const OID = { bytea: 17, bigint: 20, integer: 23, text: 25 } as const

const HEADER = 20

export function textArray(values: readonly (string | null)[]): Buffer {
  let most = HEADER + 4 * values.length
  for (const value of values) most += value === null ? 0 : 3 * value.length
  const array = begin(OID.text, values.length, most)
  let at = HEADER
  for (const value of values) {
    const length = value === null ? -1 : array.write(value, at + 4)
    array.writeInt32BE(length, at)
    at += 4 + Math.max(0, length)
  }
  return array.subarray(0, at)
}

export function byteaArray(values: readonly Uint8Array[]): Buffer {
  let size = HEADER + 4 * values.length
  for (const value of values) size += value.byteLength
  const array = begin(OID.bytea, values.length, size)
  let at = HEADER
  for (const value of values) {
    array.writeInt32BE(value.byteLength, at)
    array.set(value, at + 4)
    at += 4 + value.byteLength
  }
  return array
}

export function integerArray(values: readonly number[]): Buffer {
  const array = begin(OID.integer, values.length, HEADER + 8 * values.length)
  let at = HEADER
  for (const value of values) {
    array.writeInt32BE(4, at)
    array.writeInt32BE(value, at + 4)
    at += 8
  }
  return array
}

/** Of whole numbers up to 2^53. */
export function bigintArray(values: readonly number[]): Buffer {
  const array = begin(OID.bigint, values.length, HEADER + 12 * values.length)
  let at = HEADER
  for (const value of values) {
    array.writeInt32BE(8, at)
    array.writeInt32BE(Math.floor(value / 2 ** 32), at + 4)
    array.writeUInt32BE(value >>> 0, at + 8)
    at += 12
  }
  return array
}

/** One dimension, counted from 1; it may hold nulls. */
function begin(elements: number, length: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(bytes)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(1, 4)
  array.writeInt32BE(elements, 8)
  array.writeInt32BE(length, 12)
  array.writeInt32BE(1, 16)
  return array
}
