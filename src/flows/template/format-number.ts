import { type Decimal, exactDecimal, roundDecimal, shortestDecimal } from './decimal-digits.ts'
import type { FormatSpec, IntegerType } from './format-spec.ts'
import { layoutNumber } from './layout-number.ts'

const DEFAULT_PRECISION = 6

const RADIX: Readonly<Record<IntegerType, number>> = { d: 10, b: 2, o: 8, x: 16, X: 16 }

/** `text` is a JSON integer: an optional minus and digits. */
export function formatInteger(text: string, spec: FormatSpec): string {
  const type = (spec.type === '' ? 'd' : spec.type) as IntegerType
  const negative = text.startsWith('-') && text !== '-0'
  const decimal = text.startsWith('-') ? text.slice(1) : text
  // Decimal digits are taken as they are: converting a very long number there and back would be slow.
  const digits = type === 'd' ? decimal : BigInt(decimal).toString(RADIX[type])
  const prefix = spec.alternate && type !== 'd' ? `0${type}` : ''
  return layoutNumber(
    { negative, prefix, digits: type === 'X' ? digits.toUpperCase() : digits, rest: '' },
    spec
  )
}

export function formatFloat(value: number, spec: FormatSpec): string {
  const scaled = spec.type === '%' ? value * 100 : value
  const negative = scaled < 0 || Object.is(scaled, -0)
  const body = Number.isFinite(scaled) ? floatBody(Math.abs(scaled), spec) : { digits: '', rest: 'inf' }
  const isUpper = spec.type === 'E' || spec.type === 'F' || spec.type === 'G'
  const rest = (isUpper ? body.rest.toUpperCase() : body.rest) + (spec.type === '%' ? '%' : '')
  return layoutNumber({ negative, prefix: '', digits: body.digits, rest }, spec)
}

/** A number without its sign: the digits that can be grouped, then everything from the point on. */
interface FloatBody {
  readonly digits: string
  readonly rest: string
}

function floatBody(value: number, spec: FormatSpec): FloatBody {
  const precision = spec.precision < 0 ? DEFAULT_PRECISION : spec.precision
  switch (spec.type) {
    case 'f':
    case 'F':
    case '%':
      return fixed(exactDecimal(value), precision, spec.alternate)
    case 'e':
    case 'E':
      return exponential(roundDecimal(exactDecimal(value), precision + 1), precision, spec.alternate)
    case 'g':
    case 'G':
      return general(exactDecimal(value), Math.max(precision, 1), spec.alternate, 0)
    default:
      if (spec.precision < 0) return shortest(shortestDecimal(value), spec.alternate)
      return general(exactDecimal(value), Math.max(precision, 1), spec.alternate, 1)
  }
}

function fixed(exact: Decimal, fractionDigits: number, alternate: boolean): FloatBody {
  return positional(roundDecimal(exact, exact.point + fractionDigits), fractionDigits, alternate)
}

function positional({ digits, point }: Decimal, fractionDigits: number, alternate: boolean): FloatBody {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  const leading = '0'.repeat(Math.min(Math.max(-point, 0), fractionDigits))
  const fraction = (leading + digits.slice(Math.max(point, 0))).padEnd(fractionDigits, '0')
  return { digits: whole, rest: withPoint(fraction, alternate) }
}

function exponential({ digits, point }: Decimal, fractionDigits: number, alternate: boolean): FloatBody {
  const exponent = point - 1
  const power = `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  const fraction = digits.slice(1).padEnd(fractionDigits, '0')
  return { digits: digits.slice(0, 1), rest: withPoint(fraction, alternate) + power }
}

/** Python's `g`; `minFraction` 1 is its variant without a type, which always shows that it is a float. */
function general(exact: Decimal, precision: number, alternate: boolean, minFraction: 0 | 1): FloatBody {
  const rounded = roundDecimal(exact, precision)
  const digits = alternate ? rounded.digits.padEnd(precision, '0') : withoutTrailingZeros(rounded.digits)
  const decimal = { digits, point: rounded.point }
  if (decimal.point <= -4 || decimal.point > precision - minFraction) {
    return exponential(decimal, digits.length - 1, alternate)
  }
  return positional(decimal, Math.max(digits.length - decimal.point, minFraction), alternate)
}

function shortest(decimal: Decimal, alternate: boolean): FloatBody {
  const { digits, point } = decimal
  if (point <= -4 || point > 16) return exponential(decimal, digits.length - 1, alternate)
  return positional(decimal, Math.max(digits.length - point, 1), alternate)
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (end > 1 && digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

function withPoint(fraction: string, alternate: boolean): string {
  return fraction !== '' || alternate ? `.${fraction}` : ''
}
