import { ExactNumber, type JsonValue } from '../flows/json/exact-number.ts'

/** A value that is written in one line: what belongs together changes together. */
export class OneLine {
  readonly value: JsonValue

  constructor(value: JsonValue) {
    this.value = value
  }
}

export type YamlValue = JsonValue | OneLine | readonly YamlValue[] | YamlMembers
export type YamlMembers = { readonly [key: string]: YamlValue }

const STEP = '  '

/**
 * YAML that says the same in the same way each time, and that Git compares line by line: members in the order in which they stand,
 * one line for each, long texts as blocks. Written by hand, since no two versions of a package fold and quote alike.
 */
export function writeYaml(members: YamlMembers): string {
  const out: string[] = []
  if (Object.keys(members).length === 0) return '{}\n'
  writeMembers(members, '', '', out)
  return out.join('')
}

/** `first` is what the first line begins with: an item of a list has its dash there. */
function writeMembers(members: YamlMembers, indent: string, first: string, out: string[]): void {
  let lead = first
  for (const [key, value] of Object.entries(members)) {
    out.push(lead, nameText(key, indent), ':')
    writeValue(value, indent, out)
    lead = indent
  }
}

function writeItems(items: readonly YamlValue[], indent: string, first: string, out: string[]): void {
  let lead = first
  for (const item of items) {
    out.push(lead, '-')
    lead = indent
    const inner = indent + STEP
    if (isFilledList(item)) writeItems(item, inner, ' ', out)
    else if (isFilledObject(item)) writeMembers(item, inner, ' ', out)
    else writeValue(item, indent, out)
  }
}

/** What stands after a colon or a dash, with the end of its line. */
function writeValue(value: YamlValue, indent: string, out: string[]): void {
  const inner = indent + STEP
  if (value instanceof OneLine) out.push(' ', oneLine(value.value), '\n')
  else if (typeof value === 'string' && isBlock(value)) writeBlock(value, inner, out)
  else if (isFilledList(value)) {
    out.push('\n')
    writeItems(value, inner, inner, out)
  } else if (isFilledObject(value)) {
    out.push('\n')
    writeMembers(value, inner, inner, out)
  } else out.push(' ', scalar(value as JsonValue), '\n')
}

function isFilledList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value) && value.length > 0
}

function isFilledObject(value: YamlValue): value is YamlMembers {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject || value instanceof ExactNumber || value instanceof OneLine) return false
  return Object.keys(value).length > 0
}

function scalar(value: JsonValue): string {
  if (typeof value === 'string') return isPlain(value) ? value : quoted(value)
  if (Array.isArray(value)) return '[]'
  if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) return '{}'
  return JSON.stringify(value)
}

function oneLine(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(oneLine).join(', ')} ]`
  if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${nameText(name, null)}: ${oneLine(member)}`
    )
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  if (typeof value === 'string') return IN_ONE_LINE.test(value) && isPlain(value) ? value : quoted(value)
  return JSON.stringify(value)
}

const IN_ONE_LINE = /^[A-Za-z_][A-Za-z0-9_.-]*$/
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** YAML looks no further for the colon of a name. */
const LONGEST_NAME = 1_000

/** `indent` is that of a block; null is in one line. */
function nameText(name: string, indent: string | null): string {
  const text = NAME.test(name) && !OTHER_WORD.test(name) ? name : quoted(name)
  return indent === null || text.length <= LONGEST_NAME ? text : `? ${text}\n${indent}`
}

/** What some reader of YAML takes for something else than text. */
const OTHER_WORD = /^(?:null|true|false|yes|no|on|off)$/i
const DURATION = /^\d+(?:ms|[smhd])$/
const TEXT = /^[\p{L}_$(/][^\p{C}\u2028\u2029]*$/u

function isPlain(text: string): boolean {
  if (!TEXT.test(text)) return DURATION.test(text)
  return !OTHER_WORD.test(text) && !/: | #|[: ]$/.test(text)
}

/** Controls, ends of lines that are none to Git, and letters that turn a line around for who reads it. */
const HIDDEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g

function quoted(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

const BLOCK =
  /^[\t\n\x20-\x7e\u00a0-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

function isBlock(text: string): boolean {
  return text.includes('\n') && /[^\s]/.test(text) && BLOCK.test(text) && !/\n[\t ]+$/.test(text)
}

function writeBlock(text: string, inner: string, out: string[]): void {
  // Where the first line begins with a space nobody could tell where the text begins.
  const indication = /^[ \t\n]/.test(text) ? String(STEP.length) : ''
  const ends = /\n*$/.exec(text)![0].length
  const chomping = ends === 0 ? '-' : ends === 1 ? '' : '+'
  out.push(' |', indication, chomping, '\n')
  const lines = text.split('\n')
  if (ends > 0) lines.pop()
  for (const line of lines) out.push(line === '' ? '' : inner + line, '\n')
}
