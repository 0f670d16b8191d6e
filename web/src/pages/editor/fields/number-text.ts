import type { Field } from '../../../../../src/flows/component/component.ts'
import { type JsonValue, writeJson } from '../../../../../src/flows/json/exact-json.ts'

/**
 * A number as its field shows it. Where the default is 0 and the placeholder tells what that means ("No limit"), a 0 is
 * an empty field: a bare one reads as "none at all".
 */
export function numberText(value: JsonValue, field: Field): string {
  if (value === null || (value === 0 && isEmptyZero(field))) return ''
  // What is not a number is shown, so that it can be seen and mended.
  return typeof value === 'string' ? value : writeJson(value)
}

/** What the text means, or what is wrong with it. */
export function readNumber(
  text: string,
  field: Field
): { readonly value: number } | { readonly wrong: string } {
  const written = text.trim().replace(',', '.')
  if (written === '' && isEmptyZero(field)) return { value: 0 }
  const number = Number(written)
  return written === '' || !Number.isFinite(number)
    ? { wrong: 'Write a number, such as 12 or 0.5.' }
    : { value: number }
}

function isEmptyZero(field: Field): boolean {
  return field.kind === 'number' && field.default === 0 && field.placeholder !== undefined
}
