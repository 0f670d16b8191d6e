import type { ExactNumber } from '../../plugin-api.ts'
import { canonicalNumber } from './same-value.ts'

/** More digits than these, or a higher power, are compared as JavaScript's numbers are. */
const MOST_DIGITS = 400

interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** 1.0 and 1e3 are whole too. */
export function isWhole(value: number | ExactNumber): boolean {
  if (typeof value === 'number' && Number.isInteger(value)) return true
  const { exponent } = partsOf(value)
  return exponent >= 0
}

/** Exact: 1.10 is a multiple of 0.01. */
export function isMultiple(value: number | ExactNumber, of: number | ExactNumber): boolean {
  const [one, other] = [decimalOf(value), decimalOf(of)]
  if (one === undefined || other === undefined) return Number.isInteger(Number(value) / Number(of))
  const exponent = Math.min(one.exponent, other.exponent)
  const at = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent)
  return at(one) % at(other) === 0n
}

function partsOf(value: number | ExactNumber): { readonly digits: string; readonly exponent: number } {
  const [digits = '0', exponent = '0'] = canonicalNumber(String(value)).split('e')
  return { digits, exponent: Number(exponent) }
}

function decimalOf(value: number | ExactNumber): Decimal | undefined {
  const { digits, exponent } = partsOf(value)
  if (digits.length > MOST_DIGITS || Math.abs(exponent) > MOST_DIGITS) return undefined
  return { digits: BigInt(digits), exponent }
}
