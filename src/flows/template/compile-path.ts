import { ExactNumber, isPlainObject, type JsonValue } from '../json/exact-json.ts'
import { parseField } from './parse-field.ts'
import { readPath, readStep, type Scope, type Step } from './read-path.ts'
import { TemplateError } from './template-error.ts'

/** The way to a value inside of another, as templates write it: `order.total`, `items[0].sku`, `[a.b]`. */
export interface ValuePath {
  readonly text: string
  /** What it is called that it leads to: the last key. */
  readonly name: string
  readonly keys: readonly string[]
  /** Undefined where it is absent. A key that is written exactly so, dots included, comes before one inside. */
  read(value: JsonValue | undefined): JsonValue | undefined
  /** The same of each: a loop of its own is several times as fast. */
  readAll(values: readonly JsonValue[]): (JsonValue | undefined)[]
}

/** Throws a TemplateError with the code `template_syntax`. */
export function compilePath(text: string): ValuePath {
  const { field, end } = parseField(`{${text}}`, 0)
  if (end !== text.length + 2 || field.spec !== undefined || field.fallback !== undefined)
    throw pathError(text)
  const { steps } = field
  const keys = steps.map(({ key }) => key)
  const read = steps.length === 1 ? ofOneStep(steps[0]!) : ofSteps(field.text, steps)
  return { text: field.text, name: keys.at(-1)!, keys, ...read }
}

/** What is wrong with a path, or undefined. */
export function pathFault(text: string): string | undefined {
  try {
    compilePath(text)
    return undefined
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return text.trim() === ''
      ? 'It is empty. Name a key, such as total or order.total.'
      : pathError(text).message
  }
}

function pathError(text: string): TemplateError {
  const message = `"${text}" is not a path. Write a key such as total, order.total, items[0].sku, or [a:b] for a key with such characters.`
  return new TemplateError('template_syntax', message, { line: 1, column: 1 })
}

/** It has every name that an object inherits here, and those of exact numbers. */
const NUMBER = new ExactNumber('0')

function ofOneStep(step: Step): Pick<ValuePath, 'read' | 'readAll'> {
  const { key } = step
  const read = (value: JsonValue | undefined) => (value === undefined ? undefined : readStep(value, step))
  // What objects inherit must not be read; of any other name, to look whether it is their own is wasted time.
  if (key in NUMBER || step.index >= 0) return { read, readAll: (values) => values.map(read) }
  const readAll = (values: readonly JsonValue[]) => {
    const found = new Array<JsonValue | undefined>(values.length)
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as Scope | null | undefined
      found[at] =
        typeof value === 'object' && value !== null && !Array.isArray(value) ? value[key] : undefined
    }
    return found
  }
  return { read, readAll }
}

function ofSteps(text: string, steps: readonly Step[]): Pick<ValuePath, 'read' | 'readAll'> {
  const path = { steps, contextName: undefined }
  const read = (value: JsonValue | undefined) => {
    if (Array.isArray(value)) return readPath(path, value as unknown as Scope, {})
    if (!isPlainObject(value)) return undefined
    return Object.hasOwn(value, text) ? value[text] : readPath(path, value, {})
  }
  return { read, readAll: (values) => values.map(read) }
}
