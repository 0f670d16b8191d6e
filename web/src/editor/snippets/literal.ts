import { ExactNumber, isPlainObject, type JsonValue, jsonIn } from '../../../../src/flows/json/exact-json.ts'
import { quoteJavaScript, quotePython } from './quote-text.ts'

/**
 * The value of a body where a program can write it as a literal of its own and send the same value again. Undefined
 * where it cannot: text that is not JSON, numbers that a double would change, a key that sets the prototype.
 */
export function literalValue(body: string): JsonValue | undefined {
  const value = jsonIn(body)
  return typeof value === 'object' && value !== null && isPlain(value) ? value : undefined
}

/** Deeper than people nest by hand, and well within what every program can read. */
const MAX_DEPTH = 20

function isPlain(value: JsonValue, depth = 0): boolean {
  if (value instanceof ExactNumber || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1))
  if (typeof value === 'number') return isPlainNumber(value)
  if (!isPlainObject(value)) return typeof value !== 'string' || value.isWellFormed()
  return Object.entries(value).every(
    ([key, item]) => key !== '__proto__' && key.isWellFormed() && isPlain(item, depth + 1)
  )
}

/** Programs agree on how to write it: not on when a small or a large number gets an exponent, nor on its digits. */
function isPlainNumber(value: number): boolean {
  return Number.isSafeInteger(value) || (Math.abs(value) >= 0.0001 && !String(value).includes('e'))
}

export function javaScriptLiteral(value: JsonValue, indent: string): string {
  return literal(value, indent, {
    unit: '  ',
    space: ' ',
    constants: { null: 'null', true: 'true', false: 'false' },
    text: quoteJavaScript,
    key: javaScriptKey
  })
}

export function pythonLiteral(value: JsonValue, indent: string): string {
  return literal(value, indent, {
    unit: '    ',
    space: '',
    constants: { null: 'None', true: 'True', false: 'False' },
    text: quotePython,
    key: quotePython
  })
}

function javaScriptKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteJavaScript(key)
}

interface Language {
  readonly unit: string
  /** Inside the braces of a short object. */
  readonly space: string
  readonly constants: Readonly<Record<'null' | 'true' | 'false', string>>
  text(text: string): string
  key(key: string): string
}

function literal(value: JsonValue, indent: string, language: Language): string {
  if (typeof value === 'string') return language.text(value)
  if (Array.isArray(value)) {
    return block(
      value.map((item) => literal(item, indent + language.unit, language)),
      '[]',
      indent,
      language
    )
  }
  if (isPlainObject(value)) {
    const members = Object.entries(value).map(
      ([key, item]) => `${language.key(key)}: ${literal(item, indent + language.unit, language)}`
    )
    return block(members, '{}', indent, language)
  }
  const word = String(value)
  return Object.hasOwn(language.constants, word) ? language.constants[word as 'null'] : word
}

/** On one line where it is short; in braces as people of that language space them. */
function block(
  parts: readonly string[],
  [open, close]: string,
  indent: string,
  { unit, space }: Language
): string {
  const pad = open === '{' && parts.length > 0 ? space : ''
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`
  if (line.length <= 60 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${indent}${unit}${part}`).join(',\n')}\n${indent}${close}`
}
