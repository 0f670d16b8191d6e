import { atOnce, type Turns } from '../in-turns.ts'
import { BoundedText, TextTooLong, writeJsonTo } from '../json/bounded-text.ts'
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
  /** Whether each placeholder may be absent. */
  readonly allowsAbsence: boolean
  /**
   * Throws a TemplateError with the code `template_missing_key` or `template_bad_value`; the latter also where the text is longer
   * than `most`, by default MOST_AT_ONCE: what may be longer is rendered in turns.
   */
  render(scope: Scope, contextVariables?: Scope, most?: number): string
  /** Renders at once, or gives undefined where that would take longer than a fraction of a millisecond. */
  renderShort(scope: Scope, contextVariables?: Scope): string | undefined
  /**
   * Renders to the end of a text that has a limit, in turns. Throws what `render` throws, and TextTooLong as soon as the
   * limit is passed. In text of a syntax of its own, each printed value is written in that syntax on its way in.
   */
  renderTo(text: BoundedText, scope: Scope, contextVariables?: Scope, encode?: EncodeValue): Turns<void>
  /** `render` for text of a syntax of its own. */
  renderEncoded(encode: EncodeValue, scope: Scope, contextVariables?: Scope, most?: number): string
  /**
   * The value itself, as it is, where the template is one placeholder without a format and nothing else; undefined
   * where that one allows absence by `?` alone and the value is absent. Any other template gives its text, as `render` does.
   */
  renderValue(scope: Scope, contextVariables?: Scope, most?: number): JsonValue | undefined
  /** `renderValue` in turns, with TextTooLong as in `renderTo`. The text is taken from what the limit leaves. */
  renderValueWithin(room: TextRoom, scope: Scope, contextVariables?: Scope): Turns<JsonValue | undefined>
}

/** Characters that are left to several texts together. */
export interface TextRoom {
  left: number
}

/** `value` is undefined where a fallback was printed; `place` counts the placeholders. */
type EncodeValue = (
  printed: string,
  value: JsonValue | undefined,
  place: number,
  /** It says `:raw`. */
  isRaw: boolean
) => string

/** What looking up a variable costs, in characters that could be written instead. */
const LOOKUP = 32

/** In characters, or what takes as long. */
const SHORT = 16 * 1024

/** In characters: what is printed at once, since turns of its own would take longer. */
const SMALL = 1024

/** In characters: values that are printed and encoded at once hold the thread for up to 30 ms by then. */
export const MOST_AT_ONCE = 512 * 1024

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
  readonly allowsAbsence: boolean
  readonly #fields: readonly Field[]
  /** The one that is the whole template, where its value needs no printing. */
  readonly #onlyField: Field | undefined

  constructor(source: string, literals: readonly string[], fields: readonly Field[]) {
    this.source = source
    this.literals = literals
    this.#fields = fields
    this.allowsAbsence = fields.every(({ fallback }) => fallback !== undefined)
    const isOne =
      fields.length === 1 &&
      fields[0]!.spec === undefined &&
      fields[0]!.date === undefined &&
      literals.join('') === ''
    this.#onlyField = isOne ? fields[0] : undefined
    this.variables = variablesOf(fields)
    this.contextVariables = contextVariablesOf(fields)
  }

  render(scope: Scope, contextVariables?: Scope, most?: number): string {
    return this.#atOnce(scope, contextVariables, most)
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

  *renderTo(
    text: BoundedText,
    scope: Scope,
    contextVariables: Scope = NO_CONTEXT,
    encode?: EncodeValue
  ): Turns<void> {
    const literals = this.literals
    const fields = this.#fields
    let piece = literals[0]!
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at]!
      const value = readPath(field, scope, contextVariables)
      const isLong = isPrintedAsJson(value) && field.spec === undefined && weigh(value, SMALL) > SMALL
      if (isLong && encode === undefined) {
        text.add(piece)
        piece = ''
        yield* this.#writeJson(text, field, value)
      } else {
        text.assertRoom(piece.length)
        const printed = isLong
          ? yield* this.#jsonOf(field, value, text.limit - text.length)
          : this.#printed(field, value, scope, contextVariables)
        text.assertRoom(piece.length + printed.length)
        piece += encode === undefined ? printed : encode(printed, value, at, field.isRaw)
      }
      piece += literals[at + 1]!
      if (text.isTurnOver(LOOKUP * field.steps.length + piece.length)) {
        text.add(piece)
        piece = ''
        yield
      } else text.assertRoom(piece.length)
    }
    text.add(piece)
  }

  renderEncoded(encode: EncodeValue, scope: Scope, contextVariables?: Scope, most?: number): string {
    return this.#atOnce(scope, contextVariables, most, encode)
  }

  renderValue(scope: Scope, contextVariables?: Scope, most?: number): JsonValue | undefined {
    const field = this.#onlyField
    return field === undefined
      ? this.#atOnce(scope, contextVariables, most)
      : this.#valueOf(field, scope, contextVariables)
  }

  *renderValueWithin(room: TextRoom, scope: Scope, contextVariables?: Scope): Turns<JsonValue | undefined> {
    const field = this.#onlyField
    if (field !== undefined) return this.#valueOf(field, scope, contextVariables)
    const text = new BoundedText(room.left)
    yield* this.renderTo(text, scope, contextVariables)
    room.left -= text.length
    return text.toString()
  }

  #valueOf(field: Field, scope: Scope, contextVariables: Scope = NO_CONTEXT): JsonValue | undefined {
    const value = readPath(field, scope, contextVariables)
    if (value !== undefined) return value
    return this.#absent(field, scope, contextVariables) || undefined
  }

  #atOnce(scope: Scope, contextVariables?: Scope, most = MOST_AT_ONCE, encode?: EncodeValue): string {
    if (this.#fields.length === 0) return this.literals[0]!
    const text = new BoundedText(most)
    try {
      atOnce(this.renderTo(text, scope, contextVariables, encode))
    } catch (error) {
      throw error instanceof TextTooLong ? this.#tooLong(most) : error
    }
    return text.toString()
  }

  *#jsonOf(field: Field, value: JsonValue, most: number): Turns<string> {
    const text = new BoundedText(most)
    yield* this.#writeJson(text, field, value)
    return text.toString()
  }

  *#writeJson(text: BoundedText, field: Field, value: JsonValue): Turns<void> {
    try {
      yield* writeJsonTo(text, value)
    } catch (error) {
      throw error instanceof TypeError ? this.#badValue(field, value, error.message) : error
    }
  }

  #printed(field: Field, value: JsonValue | undefined, scope: Scope, contextVariables: Scope): string {
    return value === undefined ? this.#absent(field, scope, contextVariables) : this.#print(field, value)
  }

  #absent(field: Field, scope: Scope, contextVariables: Scope): string {
    if (field.fallback !== undefined) return field.fallback
    throw missingKeyError(this.source, field, scope, contextVariables)
  }

  #print(field: Field, value: JsonValue): string {
    if (field.date !== undefined) return this.#printTime(field, field.date, value)
    if (typeof value === 'string' && field.spec === undefined) return value
    try {
      return field.spec === undefined ? printValue(value) : formatValue(value, field.spec)
    } catch (error) {
      throw error instanceof UnprintableValue ? this.#badValue(field, value, error.message) : error
    }
  }

  #printTime(field: Field, print: NonNullable<Field['date']>, value: JsonValue): string {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
    if (Number.isNaN(ms)) throw this.#badValue(field, value, 'it is not a time')
    return print(ms)
  }

  #badValue(field: Field, value: JsonValue, reason: string): TemplateError {
    const format = field.spec === undefined ? '' : ` with "${cutText(field.spec.text, 40)}"`
    const message = `is ${describeValue(value)} and cannot be printed${format}: ${reason}.`
    return this.#fail(field, message)
  }

  #tooLong(most: number): TemplateError {
    return this.#fail(
      this.#fields.at(-1)!,
      `makes the text longer than ${most} characters, which is the most here.`
    )
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
