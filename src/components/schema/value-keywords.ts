import { ExactNumber, isPlainObject, StepError } from '../../plugin-api.ts'
import { formatNamed } from './formats.ts'
import { type Judgement, shown } from './judgement.ts'
import { isMultiple, isWhole } from './numbers.ts'
import type { Pattern } from './pattern.ts'
import { canonical } from './same-value.ts'
import type { Check } from './schema-node.ts'

/** Checks of what a value is by itself. */

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null'
}

export const TYPES = Object.keys(KINDS)

export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isPlainObject(value)
    case 'number':
      return isNumber(value)
    case 'integer':
      return isNumber(value) && isWhole(value)
    default:
      return typeof value === type
  }
}

export function typeCheck(types: readonly string[]): Check {
  const words = types.map((type) => KINDS[type]).join(' or ')
  return (value, place, judgement) => {
    if (!types.some((type) => isOfType(value, type)))
      judgement.add(place, `is ${shown(value)}. Write ${words}.`)
  }
}

/** Values that are named in full: a few, so that a sentence holds them. */
const MOST_SHOWN = 20

export function oneOfCheck(values: readonly unknown[]): Check {
  const wanted = new Set(values.map((value) => canonical(value, () => {})))
  const hasObjects = values.some((value) => typeof value === 'object' && value !== null && !isNumber(value))
  const named = values.slice(0, MOST_SHOWN).map(shown)
  const words = `Use ${values.length === 1 ? '' : 'one of '}${named.join(', ')}${values.length > MOST_SHOWN ? ' …' : ''}.`
  return (value, place, judgement) => {
    const isObject = typeof value === 'object' && value !== null && !isNumber(value)
    if (isObject && !hasObjects) return judgement.add(place, `is ${shown(value)}. ${words}`)
    if (!wanted.has(canonical(value, (steps) => void judgement.isTurnOver(steps))))
      judgement.add(place, `is ${shown(value)}. ${words}`)
  }
}

const COMPARED: Readonly<
  Record<string, { readonly fits: (value: number, limit: number) => boolean; readonly words: string }>
> = {
  minimum: { fits: (value, limit) => value >= limit, words: 'or more' },
  maximum: { fits: (value, limit) => value <= limit, words: 'or less' },
  exclusiveMinimum: { fits: (value, limit) => value > limit, words: 'more' },
  exclusiveMaximum: { fits: (value, limit) => value < limit, words: 'less' }
}

export function limitCheck(keyword: string, limit: number): Check {
  const { fits, words } = COMPARED[keyword]!
  const remedy = words.startsWith('or') ? `Write ${limit} ${words}.` : `Write ${words} than ${limit}.`
  return (value, place, judgement) => {
    if (isNumber(value) && !fits(Number(value), limit)) judgement.add(place, `is ${shown(value)}. ${remedy}`)
  }
}

export function multipleCheck(of: number | ExactNumber): Check {
  return (value, place, judgement) => {
    if (isNumber(value) && !isMultiple(value, of))
      judgement.add(place, `is ${shown(value)}. Write a multiple of ${String(of)}.`)
  }
}

export function lengthCheck(keyword: 'minLength' | 'maxLength', limit: number): Check {
  const words = `Write at ${keyword === 'minLength' ? 'least' : 'most'} ${counted(limit, 'character')}.`
  return (value, place, judgement) => {
    if (typeof value !== 'string') return
    const fits =
      keyword === 'minLength' ? hasAtLeast(value, limit, judgement) : !hasAtLeast(value, limit + 1, judgement)
    if (!fits) judgement.add(place, `is ${shown(value)}. ${words}`)
  }
}

/** Characters are counted as people do, not as JavaScript, but only where it matters. */
function hasAtLeast(text: string, count: number, judgement: Judgement): boolean {
  if (text.length < count) return false
  if (text.length >= 2 * count) return true
  judgement.isTurnOver(text.length / 16)
  let pairs = 0
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xdc00 && code <= 0xdfff && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs++
  }
  return text.length - pairs >= count
}

export function counted(limit: number, what: string): string {
  return limit === 1 ? `1 ${what}` : `${limit} ${what}s`
}

export function patternCheck(source: string, pattern: Pattern): Check {
  return (value, place, judgement) => {
    if (typeof value !== 'string') return
    const found = isFound(pattern, value, judgement)
    if (found === undefined) judgement.add(place, `is too long to be matched against ${source}.`)
    else if (!found) judgement.add(place, `is ${shown(value)}. It must match ${source}.`)
  }
}

/** Undefined where it would take too long. */
export function isFound(pattern: Pattern, text: string, judgement: Judgement): boolean | undefined {
  try {
    const found = pattern.isFoundIn(text)
    judgement.isTurnOver(pattern.stepsFor(text))
    return found
  } catch (error) {
    if (error instanceof StepError) return undefined
    throw error
  }
}

export function formatCheck(name: string): Check | undefined {
  const fits = formatNamed(name)
  if (fits === undefined) return undefined
  return (value, place, judgement) => {
    if (typeof value !== 'string') return
    judgement.isTurnOver(4 + Math.min(value.length, 4_096) / 16)
    if (!fits(value)) judgement.add(place, `is ${shown(value)}. Write it in the format "${name}".`)
  }
}
