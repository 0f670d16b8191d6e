import { ExactNumber, type JsonValue, parseJson } from '../../plugin-api.ts'

/** A number as a database writes it, with all its digits. `NaN` and `Infinity`, which JSON has not, stay texts. */
export function exactNumber(text: string): JsonValue {
  const number = Number(text)
  if (String(number) === text && Number.isFinite(number)) return number
  // Looked at before: to be refused takes much longer, and an array has room for millions.
  return NUMBER.test(text) ? new ExactNumber(text) : text
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** JSON that a database holds, with all digits of its numbers; text where we cannot read it. */
export function exactJson(text: string): JsonValue {
  const value = readableJson(text)
  return value === undefined ? text : value
}

export function readableJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

export function finiteNumber(text: string): JsonValue {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** Of a number with four bytes: `1.1`, and not the `1.100000023841858` that its eight bytes would print. */
export function shortFloat(value: number): JsonValue {
  if (!Number.isFinite(value)) return String(value)
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

const MOMENT = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d)*)?$/

/** A date with a time in ISO 8601, as far as it is one: `infinity` and years before Christ stay as they are. */
export function isoMoment(text: string): string {
  const parts = MOMENT.exec(text)
  if (parts === null) return text
  const [, date, time, zone = ''] = parts
  const iso = zone === '' || zone.includes(':') ? zone : `${zone}:00`
  return `${date}T${time}${/^[+-]00:00$/.test(iso) ? 'Z' : iso}`
}
