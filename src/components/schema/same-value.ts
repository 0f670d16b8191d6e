import { ExactNumber, isPlainObject } from '../../plugin-api.ts'

/** A text that two values share exactly if JSON Schema takes them for the same: 1 is 1.0, and the order of members is nothing. */
export function canonical(value: unknown, pay: (steps: number) => void): string {
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalNumber(String(value))
  if (typeof value === 'string') {
    pay(1 + value.length / 64)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) {
    pay(value.length)
    return `[${value.map((item) => canonical(item, pay)).join()}]`
  }
  if (!isPlainObject(value)) return String(value)
  const keys = Object.keys(value).sort()
  pay(keys.length)
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key], pay)}`).join()}}`
}

const WRITTEN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Digits without zeros at either end, and the power of ten behind them. */
export function canonicalNumber(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = WRITTEN.exec(source) ?? []
  const digits = withoutZeros(`${whole}${fraction}`)
  if (digits.text === '') return '0'
  return `${sign}${digits.text}e${Number(exponent) - fraction.length + digits.behind}`
}

function withoutZeros(digits: string): { readonly text: string; readonly behind: number } {
  let [start, end] = [0, digits.length]
  while (start < end && digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  return { text: digits.slice(start, end), behind: digits.length - end }
}
