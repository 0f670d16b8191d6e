import type { Turns } from '../in-turns.ts'
import { type BoundedText, writeJsonTo } from '../json/bounded-text.ts'
import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import { weigh } from '../json/json-pieces.ts'
import { describeValue } from './describe-value.ts'
import { formatValue, printValue, UnprintableValue } from './format-value.ts'
import { missingKeyError } from './missing-key.ts'
import type { Field } from './parse-field.ts'
import { parseTemplate } from './parse-template.ts'
import { cutText } from './quote-text.ts'
import { readPath, type Scope } from './read-path.ts'
import { TemplateError } from './template-error.ts'
import { placeAt, printPlace } from './template-place.ts'
import { contextVariablesOf, variablesOf } from './template-variables.ts'

export interface Template {
  readonly source: string
  /** Root names in order of first appearance, without doubles and without context variables. */
  readonly variables: readonly string[]
  /** The names used as `{$name}`, without the `$`. */
  readonly contextVariables: readonly string[]
  /** The text around the placeholders: one more than there are of these. */
  readonly literals: readonly string[]
  /** Throws a TemplateError with the code `template_missing_key` or `template_bad_value`. */
  render(scope: Scope, contextVariables?: Scope): string
  /** Renders at once, or gives undefined where that would take longer than a fraction of a millisecond. */
  renderShort(scope: Scope, contextVariables?: Scope): string | undefined
  /**
   * Renders to the end of a text that has a limit, in turns. Throws what `render` throws, and TextTooLong as soon as the
   * limit is passed.
   */
  renderTo(text: BoundedText, scope: Scope, contextVariables?: Scope): Turns<void>
  /** `render` for text of a syntax of its own: each printed value is written in that syntax on its way in. */
  renderEncoded(encode: EncodeValue, scope: Scope, contextVariables?: Scope): string
  /**
   * The value itself, as it is, where the template is one placeholder without a format and nothing else; undefined
   * where that one allows absence by `?` alone and the value is absent. Any other template gives its text.
   */
  renderValue(scope: Scope, contextVariables?: Scope): JsonValue | undefined
}

/** `value` is undefined where a fallback was printed; `place` counts the placeholders. */
export type EncodeValue = (printed: string, value: JsonValue | undefined, place: number) => string

/** What looking up a variable costs, in characters that could be written instead. */
const LOOKUP = 32

/** In characters, or what takes as long. */
const SHORT = 16 * 1024

/** In characters, far beyond any real prompt; a template that repeats a large value must not exhaust the memory. */
export const MAX_RENDERED_LENGTH = 64 * 1024 * 1024

const NO_CONTEXT: Scope = {}

/** Throws a TemplateError with the code `template_syntax`. */
export function compileTemplate(source: string): Template {
  const { literals, fields } = parseTemplate(source)
  return new CompiledTemplate(source, literals, fields)
}

class CompiledTemplate implements Template {
  readonly source: string
  readonly variables: readonly string[]
  readonly contextVariables: readonly string[]
  readonly literals: readonly string[]
  readonly #fields: readonly Field[]
  /** The one that is the whole template, where its value needs no printing. */
  readonly #onlyField: Field | undefined

  constructor(source: string, literals: readonly string[], fields: readonly Field[]) {
    this.source = source
    this.literals = literals
    this.#fields = fields
    const isOne = fields.length === 1 && fields[0]!.spec === undefined && literals.join('') === ''
    this.#onlyField = isOne ? fields[0] : undefined
    this.variables = variablesOf(fields)
    this.contextVariables = contextVariablesOf(fields)
  }

  render(scope: Scope, contextVariables: Scope = NO_CONTEXT): string {
    const literals = this.literals
    const fields = this.#fields
    let text = literals[0]!
    for (let at = 0; at < fields.length; at++) {
      const piece = this.#renderField(fields[at]!, scope, contextVariables)
      if (text.length + piece.length > MAX_RENDERED_LENGTH) throw this.#tooLong(fields[at]!)
      text += piece + literals[at + 1]!
    }
    return text
  }

  renderShort(scope: Scope, contextVariables: Scope = NO_CONTEXT): string | undefined {
    const literals = this.literals
    const fields = this.#fields
    if (fields.length * LOOKUP > SHORT) return undefined
    let text = literals[0]!
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at]!
      const value = readPath(field, scope, contextVariables)
      if (isPrintedAsJson(value) && weigh(value, SHORT) > SHORT) return undefined
      const piece =
        value === undefined ? this.#absent(field, scope, contextVariables) : this.#print(field, value)
      text += piece + literals[at + 1]!
      if (text.length > SHORT) return undefined
    }
    return text
  }

  *renderTo(text: BoundedText, scope: Scope, contextVariables: Scope = NO_CONTEXT): Turns<void> {
    const literals = this.literals
    const fields = this.#fields
    let piece = literals[0]!
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at]!
      const value = readPath(field, scope, contextVariables)
      if (isPrintedAsJson(value) && field.spec === undefined) {
        text.add(piece)
        piece = ''
        yield* this.#writeJson(text, field, value)
      } else
        piece +=
          value === undefined ? this.#absent(field, scope, contextVariables) : this.#print(field, value)
      piece += literals[at + 1]!
      if (text.isTurnOver(LOOKUP * field.steps.length + piece.length)) {
        text.add(piece)
        piece = ''
        yield
      } else text.assertRoom(piece.length)
    }
    text.add(piece)
  }

  renderEncoded(encode: EncodeValue, scope: Scope, contextVariables: Scope = NO_CONTEXT): string {
    let text = this.literals[0]!
    for (const [at, field] of this.#fields.entries()) {
      const value = readPath(field, scope, contextVariables)
      const printed =
        value === undefined ? this.#absent(field, scope, contextVariables) : this.#print(field, value)
      if (text.length + printed.length > MAX_RENDERED_LENGTH) throw this.#tooLong(field)
      text += encode(printed, value, at) + this.literals[at + 1]!
    }
    return text
  }

  renderValue(scope: Scope, contextVariables: Scope = NO_CONTEXT): JsonValue | undefined {
    const field = this.#onlyField
    if (field === undefined) return this.render(scope, contextVariables)
    const value = readPath(field, scope, contextVariables)
    if (value !== undefined) return value
    return this.#absent(field, scope, contextVariables) || undefined
  }

  *#writeJson(text: BoundedText, field: Field, value: JsonValue): Turns<void> {
    try {
      yield* writeJsonTo(text, value)
    } catch (error) {
      throw error instanceof TypeError ? this.#badValue(field, value, error.message) : error
    }
  }

  #renderField(field: Field, scope: Scope, contextVariables: Scope): string {
    const value = readPath(field, scope, contextVariables)
    return value === undefined ? this.#absent(field, scope, contextVariables) : this.#print(field, value)
  }

  #absent(field: Field, scope: Scope, contextVariables: Scope): string {
    if (field.fallback !== undefined) return field.fallback
    throw missingKeyError(this.source, field, scope, contextVariables)
  }

  #print(field: Field, value: JsonValue): string {
    if (typeof value === 'string' && field.spec === undefined) return value
    try {
      return field.spec === undefined ? printValue(value) : formatValue(value, field.spec)
    } catch (error) {
      throw error instanceof UnprintableValue ? this.#badValue(field, value, error.message) : error
    }
  }

  #badValue(field: Field, value: JsonValue, reason: string): TemplateError {
    const format = field.spec === undefined ? '' : ` with "${cutText(field.spec.text, 40)}"`
    const message = `is ${describeValue(value)} and cannot be printed${format}: ${reason}.`
    return this.#fail(field, message)
  }

  #tooLong(field: Field): TemplateError {
    return this.#fail(field, `makes the text longer than ${MAX_RENDERED_LENGTH} characters.`)
  }

  #fail(field: Field, problem: string): TemplateError {
    const place = placeAt(this.source, field.offset)
    const message = `{${cutText(field.text, 80)}} (${printPlace(place)}) ${problem}`
    return new TemplateError('template_bad_value', message, place, { variable: field.text })
  }
}

function isPrintedAsJson(value: JsonValue | undefined): value is JsonValue {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
}
