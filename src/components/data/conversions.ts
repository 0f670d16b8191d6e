import {
  BoundedText,
  givenBytes,
  isoDate,
  type JsonValue,
  type OutputLimit,
  outputTooLarge,
  parseJsonInTurns,
  StepError,
  TextTooLong,
  type Turns,
  writeJsonTo,
  ZONE_HELP,
  zoneNamed
} from '../../plugin-api.ts'
import { bytesOfBase64, decodeBase64, encodeBase64 } from './base64.ts'
import { DELIMITERS } from './csv-fields.ts'
import { CsvTooLong, parseCsv } from './csv-parse.ts'
import { writeCsv } from './csv-write.ts'
import { readFormatFault } from './date-parse.ts'
import { describe } from './describe.ts'
import { type ReadValue, valueIn } from './given-documents.ts'
import { numberOf } from './number-of.ts'
import { payloadOf } from './payload-of.ts'
import { printed } from './printed.ts'
import { DATE_HELP, type DateRules, dateRules, readDate } from './read-date.ts'
import { type FilesRead, readOf, textOfFile } from './read-files.ts'
import { rowsOf } from './rows-of.ts'
import { formData, formOf, urlDecoded, urlEncoded } from './web-texts.ts'
import { writeXml } from './xml-write.ts'

export const CONVERSIONS = [
  'JSON to data',
  'Data to JSON',
  'CSV to rows',
  'Rows to CSV',
  'To text',
  'To number',
  'To date',
  'Text to Base64',
  'Base64 to text',
  'XML to data',
  'Data to XML',
  'HTML to text',
  'HTML to Markdown',
  'Markdown to HTML',
  'Feed to items',
  'Form to data',
  'Data to form',
  'URL encode',
  'URL decode'
] as const

type Conversion = (typeof CONVERSIONS)[number]

export interface ConvertRules extends ConvertFields {
  readonly outputLimit: OutputLimit
  readonly files: FilesRead<ReadFile>
  /** What came of the values that are read elsewhere, in their order. */
  readonly elsewhere: Iterator<ReadValue>
  /** How dates are read; asked for once. Throws a StepError. */
  readonly dates: () => DateRules
}

interface ReadFile {
  readonly bytes: Uint8Array
  /** Throws a StepError where it is not text. */
  readonly text: () => string
}

interface ConvertFields {
  readonly mode: Conversion
  readonly delimiter: keyof typeof DELIMITERS
  readonly header: boolean
  readonly typed: boolean
  readonly uneven: boolean
  readonly bom: boolean
  readonly timezone: string
  readonly input_format: string
  readonly indent: number
  readonly failures: 'fail' | 'null'
}

export function rulesOf(
  fields: ConvertFields,
  { outputLimit }: { readonly outputLimit: OutputLimit },
  files: FilesRead<ReadFile>,
  elsewhere: readonly ReadValue[] = []
): ConvertRules {
  let dates: DateRules | undefined
  return {
    ...fields,
    outputLimit,
    files,
    elsewhere: elsewhere.values(),
    dates: () => {
      dates ??= datesBy(fields)
      return dates
    }
  }
}

const AS_A_WHOLE: readonly Conversion[] = ['Data to JSON', 'Rows to CSV', 'To text', 'Data to XML']

/** Whether a list is converted as a whole. */
export function isOfLists(mode: Conversion): boolean {
  return AS_A_WHOLE.includes(mode)
}

/** Throws a StepError. */
export function* convertValue(value: JsonValue | undefined, rules: ConvertRules): Turns<JsonValue> {
  switch (rules.mode) {
    case 'JSON to data':
      return yield* dataOf(yield* textOf(value, rules))
    case 'Data to JSON':
      return yield* jsonOf(value ?? null, rules)
    case 'CSV to rows':
      return yield* rowsOfCsv(yield* textOf(value, rules), rules)
    case 'Rows to CSV':
      return yield* csvOf(value, rules)
    case 'To text':
      return typeof value === 'string'
        ? value
        : ((yield* fileIn(value, rules))?.text() ?? (yield* printed(value)))
    case 'To number':
      return asNumber(value)
    case 'To date':
      return asDate(value, rules)
    case 'Text to Base64':
      return encodeBase64((yield* fileIn(value, rules))?.bytes ?? (yield* textOf(value, rules)))
    case 'Base64 to text':
      return yield* decodeBase64(yield* textOf(value, rules))
    case 'Data to XML':
      return yield* bounded(rules, (text) => writeXml(value ?? null, rules.indent, text))
    case 'Form to data':
      return yield* formData(yield* textOf(value, rules))
    case 'Data to form':
      return yield* bounded(rules, (text) => formOf(value, text))
    case 'URL encode':
      return yield* encodedForUrl(value, rules)
    case 'URL decode':
      return yield* urlDecoded(yield* textOf(value, rules))
    default:
      return valueIn(rules.elsewhere.next().value!)
  }
}

function* encodedForUrl(value: JsonValue | undefined, rules: ConvertRules): Turns<string> {
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  const plain = isPlain ? String(value) : yield* textOf(value, rules)
  return yield* bounded(rules, (text) => urlEncoded(plain, text))
}

/** What does not leave by its own kind is not text; a body that was none is wrapped by the Webhook as its payload. */
function* textOf(value: JsonValue | undefined, rules: ConvertRules): Turns<string> {
  if (typeof value === 'string') return value
  const inner = payloadOf(value)
  if (typeof inner === 'string') return inner
  const file = yield* fileIn(value, rules)
  if (file !== undefined) return file.text()
  throw new StepError(
    `It is ${describe(value)}, and only text can be converted so. Name in Field the member that holds it.`,
    {
      code: 'not_a_text',
      retryable: false
    }
  )
}

/** A file, or one as `{"base64"}`. */
function* fileIn(value: JsonValue | undefined, { files }: ConvertRules): Turns<ReadFile | undefined> {
  const inner = payloadOf(value) ?? value
  const given = givenBytes(inner)
  if (given === undefined || 'file' in given.source) return readOf(inner, files)
  const bytes = yield* bytesOfBase64(given.source.base64)
  const { filename, contentType } = given
  return { bytes, text: () => textOfFile(bytes, filename, contentType) }
}

function* dataOf(text: string): Turns<JsonValue> {
  try {
    return yield* parseJsonInTurns(text.startsWith('\uFEFF') ? text.slice(1) : text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new StepError(
      `This is not JSON: ${message}.${text.trim() === '' ? ' It is empty.' : ''} Look at what was sent.`,
      {
        code: 'invalid_json',
        retryable: false,
        cause: error
      }
    )
  }
}

function* rowsOfCsv(
  text: string,
  { delimiter, header, typed, uneven, outputLimit }: ConvertRules
): Turns<JsonValue[]> {
  const rules = { delimiter: DELIMITERS[delimiter], hasHeader: header, isTyped: typed, allowsUneven: uneven }
  try {
    return yield* parseCsv(text, rules, outputLimit.bytes)
  } catch (error) {
    throw error instanceof CsvTooLong
      ? outputTooLarge(outputLimit, { advice: 'Send fewer rows or columns at once' })
      : error
  }
}

function* csvOf(
  value: JsonValue | undefined,
  { delimiter, header, bom, outputLimit }: ConvertRules
): Turns<string> {
  const text = new BoundedText(outputLimit.bytes)
  const style = { delimiter: DELIMITERS[delimiter] ?? ',', hasHeader: header, hasMark: bom }
  try {
    yield* writeCsv(rowsOf(value), style, text)
  } catch (error) {
    throw error instanceof TextTooLong
      ? outputTooLarge(outputLimit, { advice: 'Send fewer rows at once' })
      : error
  }
  return text.toString()
}

function jsonOf(value: JsonValue, rules: ConvertRules): Turns<string> {
  return bounded(rules, (text) => writeJsonTo(text, value, rules.indent))
}

function* bounded({ outputLimit }: ConvertRules, write: (text: BoundedText) => Turns<void>): Turns<string> {
  const text = new BoundedText(outputLimit.bytes)
  try {
    yield* write(text)
  } catch (error) {
    throw error instanceof TextTooLong
      ? outputTooLarge(outputLimit, { advice: 'Convert less at once' })
      : error
  }
  return text.toString()
}

function asNumber(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'boolean') return Number(value)
  const number = numberOf(value)
  if (number !== undefined) return number
  throw new StepError(
    `It is ${describe(value)}, not a number. Write digits, with a point before the fraction: 1234.50.`,
    {
      code: 'not_a_number',
      retryable: false
    }
  )
}

function datesBy({ timezone, input_format }: ConvertFields): DateRules {
  const zone = zoneNamed(timezone)
  if (zone === undefined)
    throw new StepError(`"${timezone}" is not a time zone. ${ZONE_HELP}`, {
      code: 'unknown_zone',
      retryable: false
    })
  const wrong = readFormatFault(input_format)
  if (wrong !== undefined) throw new StepError(wrong, { code: 'invalid_format', retryable: false })
  return dateRules(input_format, zone, 'en')
}

function asDate(value: JsonValue | undefined, rules: ConvertRules): string {
  const dates = rules.dates()
  const ms = readDate(value, dates)
  if (ms !== undefined) return isoDate(ms, dates.zone)
  throw new StepError(`It is ${describe(value)}, not a date. ${DATE_HELP}`, {
    code: 'invalid_date',
    retryable: false
  })
}
