import { ExactNumber, type JsonValue, writeJson } from '../json/exact-json.ts'
import { isIntegerText } from './describe-value.ts'
import { formatFloat, formatInteger } from './format-number.ts'
import {
  type FormatSpec,
  findNumberOnlyPart,
  isFloatType,
  isIntegerType,
  MAX_SPEC_NUMBER
} from './format-spec.ts'
import { formatText } from './format-text.ts'

/** A value that its placeholder cannot print; the message is the reason, without the place. */
export class UnprintableValue extends Error {}

/** A value as `{key}` prints it. */
export function printValue(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value instanceof ExactNumber ? value.source : printJson(value)
}

/** A value as `{key:spec}` prints it. */
export function formatValue(value: JsonValue, spec: FormatSpec): string {
  if (value === null) return blank(spec)
  if (typeof value === 'string') return formatAsText(value, spec)
  if (typeof value === 'boolean') return formatBoolean(value, spec)
  // NaN and infinities are null in JSON, and so they are after the run was stored and read again.
  if (typeof value === 'number')
    return Number.isFinite(value) ? formatNumber(String(value), spec) : blank(spec)
  if (value instanceof ExactNumber) return formatNumber(value.source, spec)
  return formatAsText(printJson(value), spec)
}

function printJson(value: JsonValue): string {
  try {
    return writeJson(value)
  } catch (error) {
    throw new UnprintableValue(error instanceof Error ? error.message : String(error))
  }
}

/** Null is as wide as the spec asks, but never padded with the zeros of the `0` flag: it is not a number. */
function blank(spec: FormatSpec): string {
  return (spec.fill ?? ' ').repeat(spec.width)
}

function formatAsText(text: string, spec: FormatSpec): string {
  if (isIntegerType(spec.type) || isFloatType(spec.type)) {
    throw new UnprintableValue(`"${spec.type}" is for numbers`)
  }
  const refused = findNumberOnlyPart(spec)
  if (refused !== undefined) throw new UnprintableValue(refused)
  return formatText(text, spec)
}

function formatBoolean(value: boolean, spec: FormatSpec): string {
  const isNumeric = isIntegerType(spec.type) || isFloatType(spec.type)
  return isNumeric ? formatNumber(value ? '1' : '0', spec) : formatAsText(String(value), spec)
}

function formatNumber(text: string, spec: FormatSpec): string {
  if (spec.type === 's') throw new UnprintableValue('"s" is for text')
  if (!isIntegerText(text)) return formatFloatText(text, spec)
  return isFloatType(spec.type) ? formatIntegerAsFloat(text, spec) : formatIntegerText(text, spec)
}

function formatFloatText(text: string, spec: FormatSpec): string {
  if (isIntegerType(spec.type)) {
    throw new UnprintableValue(`"${spec.type}" is for whole numbers: ".0f" rounds to one`)
  }
  return formatFloat(Number(text), spec)
}

function formatIntegerAsFloat(text: string, spec: FormatSpec): string {
  // An integer has no negative zero, so "-0" becomes 0.
  const value = Number(text) || 0
  if (!Number.isFinite(value)) throw new UnprintableValue(`it is too large for "${spec.type}"`)
  return formatFloat(value, spec)
}

function formatIntegerText(text: string, spec: FormatSpec): string {
  if (spec.precision >= 0) {
    throw new UnprintableValue('a precision without "f", "e", "g" or "%" is not for whole numbers')
  }
  if (spec.type !== '' && spec.type !== 'd' && text.length > MAX_SPEC_NUMBER) {
    throw new UnprintableValue(`"${spec.type}" takes numbers of at most ${MAX_SPEC_NUMBER} digits`)
  }
  return formatInteger(text, spec)
}
