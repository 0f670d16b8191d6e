import {
  inField,
  isPlainObject,
  type JsonValue,
  plainWords,
  StepError,
  type Template,
  type TemplateScope
} from '../../plugin-api.ts'
import { assertOneLine } from './one-line.ts'

export interface MailAddress {
  /** Empty where it has none. */
  readonly name: string
  readonly address: string
}

/** Stands for a value of the template: a comma or a bracket in it is no part of the list. */
const MARK = /\uE000(\d+)\uE001/g
const ONLY_MARK = /^\uE000(\d+)\uE001$/

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what an address cannot hold
const ADDRESS = /^[^\s@<>()[\]\\,;:"\x00-\x1f\x7f]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u
const LONGEST = 254
/** In characters, of all addresses of a field: many more than may get one mail. */
const LONGEST_LIST = 100_000

/**
 * The addresses that a field gives. What the author wrote makes the list; a value fills one place in it and cannot add to
 * it, whatever it holds. Only a value that stands alone between two commas may itself be a list.
 */
export function readAddresses(field: string, template: Template, scope: TemplateScope): MailAddress[] {
  const values: { readonly printed: string; readonly value: JsonValue | undefined }[] = []
  const marked = inField(field, () =>
    template.renderEncoded(
      (printed, value, place) => {
        values[place] = { printed, value }
        return `\uE000${place}\uE001`
      },
      scope.data,
      scope.variables,
      LONGEST_LIST
    )
  )
  const filled = (text: string) => text.replace(MARK, (_mark, place) => values[place]?.printed ?? '').trim()
  return splitList(marked.replaceAll(/[\r\n]+/g, ',')).flatMap((part) => {
    const [, place] = ONLY_MARK.exec(part) ?? []
    if (place === undefined) return [readOne(field, part, filled)]
    const { printed, value } = values[Number(place)]!
    return ofValue(field, value ?? printed)
  })
}

/** A list as somebody wrote it. Throws at what is not an address. */
export function parseAddresses(field: string, text: string): MailAddress[] {
  const whole = text.trim()
  assertOneLine(field, whole)
  return splitList(whole).map((part) => readOne(field, part, (piece) => piece.trim()))
}

function ofValue(field: string, value: JsonValue): MailAddress[] {
  if (Array.isArray(value)) return value.flatMap((item) => ofValue(field, item))
  if (value === null) return []
  if (!isPlainObject(value)) return parseAddresses(field, String(value))
  const { name = '', address = value.email ?? '' } = value
  return [checked(field, { name: String(name ?? '').trim(), address: String(address).trim() })]
}

/** `Ann <ann@shop.example>`, or the address alone. */
function readOne(field: string, part: string, filled: (text: string) => string): MailAddress {
  const [, name, address] = /^(.*)<([^<>]*)>$/.exec(part) ?? []
  if (address === undefined) return checked(field, { name: '', address: filled(part) })
  return checked(field, { name: filled(unquoted(name!.trim())), address: filled(address) })
}

function unquoted(name: string): string {
  return /^".*"$/.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name
}

function checked(field: string, given: MailAddress): MailAddress {
  assertOneLine(field, given.name)
  assertOneLine(field, given.address)
  const isPlain = plainWords(given.address) === given.address
  if (isPlain && ADDRESS.test(given.address) && given.address.length <= LONGEST)
    return { name: plainWords(given.name), address: given.address }
  throw new StepError(
    `Field "${field}": ${JSON.stringify(given.address.slice(0, 100))} is not an e-mail address. Write one such as ann@shop.example, or Ann <ann@shop.example>; several are separated by commas.`,
    { code: 'recipient_invalid', retryable: false }
  )
}

/** At commas and semicolons outside of quotes and brackets. */
function splitList(text: string): string[] {
  const parts: string[] = []
  let start = 0
  /** What ends the quotes or brackets that are open. */
  let close = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (close !== '') {
      if (letter === close) close = ''
      else if (letter === '\\' && close === '"') at++
    } else if (letter === ',' || letter === ';') {
      parts.push(text.slice(start, at))
      start = at + 1
    } else close = CLOSES[letter] ?? ''
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '')
}

const CLOSES: Readonly<Record<string, string>> = { '"': '"', '<': '>' }
