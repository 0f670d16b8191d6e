/** The number 0.DIGITS x 10^point. Digits do not begin with 0, except for zero itself: '0' with point 1. */
export interface Decimal {
  readonly digits: string
  readonly point: number
}

const ZERO: Decimal = { digits: '0', point: 1 }
const bits = new DataView(new ArrayBuffer(8))

/**
 * Every digit of a double, which is a binary fraction and so has a finite decimal form. Rounding must start
 * from these: toFixed and toPrecision round ties up where Python rounds them to even, and stop at 100 digits.
 */
export function exactDecimal(value: number): Decimal {
  if (value === 0) return ZERO
  const { mantissa, exponent } = splitDouble(value)
  if (exponent >= 0) return normalize((mantissa << BigInt(exponent)).toString(), 0)
  // m / 2^k = m * 5^k / 10^k
  return normalize((mantissa * 5n ** BigInt(-exponent)).toString(), exponent)
}

/** The fewest digits that still read back as the same double. */
export function shortestDecimal(value: number): Decimal {
  if (value === 0) return ZERO
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 }
}

/** Keeps the first `count` digits and rounds half to even; `count` may be zero or negative. */
export function roundDecimal(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal
  if (count >= digits.length) return decimal
  if (count < 0) return ZERO
  const kept = digits.slice(0, count)
  if (!roundsUp(kept, digits.slice(count))) return count === 0 ? ZERO : { digits: kept, point }
  const raised = (BigInt(kept === '' ? '0' : kept) + 1n).toString()
  // 99 raised is 100: one digit more than asked for, and it is a zero.
  return { digits: raised.slice(0, Math.max(count, 1)), point: point + raised.length - count }
}

function roundsUp(kept: string, dropped: string): boolean {
  if (dropped[0] !== '5') return dropped > '5'
  const isTie = /^50*$/.test(dropped)
  return !isTie || '13579'.includes(kept.at(-1) ?? '0')
}

function splitDouble(value: number): { mantissa: bigint; exponent: number } {
  bits.setFloat64(0, value)
  const raw = bits.getBigUint64(0)
  const fraction = raw & 0xfffffffffffffn
  const biased = Number((raw >> 52n) & 0x7ffn)
  if (biased === 0) return { mantissa: fraction, exponent: -1074 }
  return { mantissa: fraction | 0x10000000000000n, exponent: biased - 1075 }
}

function normalize(digits: string, exponent: number): Decimal {
  return { digits, point: digits.length + exponent }
}
