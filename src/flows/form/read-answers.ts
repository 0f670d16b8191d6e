import type { FileValue } from '../file-value.ts'
import { ExactNumber, type JsonValue, parseJson } from '../json/exact-json.ts'
import type { FormField } from './form-fields.ts'

/** A file that came with the request, and not only its description. */
export class AnsweredFile {
  readonly value: FileValue

  constructor(value: FileValue) {
    this.value = value
  }
}

export type Answer = JsonValue | AnsweredFile

export interface AnswerFault {
  readonly name: string
  /** A sentence for whoever fills the form in. */
  readonly message: string
}

interface ReadAnswers {
  /** A value for every field of the form: null where it was left empty, false where a box is not ticked. */
  readonly data: Readonly<Record<string, JsonValue>>
  readonly faults: readonly AnswerFault[]
}

/**
 * What was sent, as the fields of a form say. Names that the form does not have are dropped: pages that embed a form add their
 * own, and who has had it open since before a field was renamed must not lose what was written.
 */
export function readAnswers(
  fields: readonly FormField[],
  sent: Readonly<Record<string, Answer | readonly Answer[]>>
): ReadAnswers {
  const faults: AnswerFault[] = []
  const data = fields.map((field): [string, JsonValue] => {
    const read = readAnswer(field, Object.hasOwn(sent, field.name) ? sent[field.name] : undefined)
    if (!('fault' in read)) return [field.name, read.value]
    faults.push({ name: field.name, message: read.fault })
    return [field.name, null]
  })
  return { data: Object.fromEntries(data), faults }
}

type Read = { readonly value: JsonValue } | { readonly fault: string }

function readAnswer(field: FormField, sent: Answer | readonly Answer[] | undefined): Read {
  if (Array.isArray(sent)) {
    const given = sent.filter((each) => each !== '')
    return given.length > 1
      ? { fault: SEVERAL[field.type] ?? 'Give one answer.' }
      : readAnswer(field, given[0])
  }
  const read = readOne(field, isText(sent) ? sent.trim() : (sent as Answer | undefined))
  if ('fault' in read || !field.required) return read
  return read.value === null || read.value === false
    ? { fault: MISSING[field.type] ?? 'Fill this in.' }
    : read
}

const SEVERAL: Readonly<Partial<Record<FormField['type'], string>>> = {
  file: 'Choose one file.',
  choice: 'Choose one.'
}

const MISSING: Readonly<Partial<Record<FormField['type'], string>>> = {
  choice: 'Choose one.',
  checkbox: 'Tick this to go on.',
  file: 'Choose a file.'
}

const EMPTY: Read = { value: null }

function readOne({ type, choices }: FormField, sent: Answer | undefined): Read {
  if (type === 'checkbox') return readTick(sent)
  if (type === 'file') return readFile(sent)
  if (sent === undefined || sent === null || sent === '') return EMPTY
  if (type === 'number') return readNumber(sent)
  if (!isText(sent)) return { fault: 'Send text.' }
  switch (type) {
    case 'email':
      return EMAIL.test(sent) && sent.length <= LONGEST_EMAIL
        ? { value: sent }
        : { fault: 'Write an email address, such as ada@example.com.' }
    case 'date':
      return isDate(sent) ? { value: sent } : { fault: 'Write a date as year, month and day: 2026-03-31.' }
    case 'choice':
      return choices.includes(sent) ? { value: sent } : { fault: 'Choose one of those that are there.' }
    default:
      // Browsers send the lines of a text with both signs.
      return { value: sent.replaceAll('\r\n', '\n') }
  }
}

function readTick(sent: Answer | undefined): Read {
  if (sent === undefined || sent === null || sent === '' || sent === false || sent === 'false')
    return { value: false }
  if (sent === true || sent === 'true' || sent === 'on') return { value: true }
  return { fault: 'Send true or false.' }
}

/** The description of a file opens none, whoever wrote it: only what came with the request is a file here. */
function readFile(sent: Answer | undefined): Read {
  if (sent === undefined || sent === null || sent === '') return EMPTY
  if (sent instanceof AnsweredFile) return { value: { ...sent.value } }
  return { fault: 'Send the file itself, as multipart/form-data.' }
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(e[+-]?\d{1,6})?$/i

/** With every digit that was sent. */
function readNumber(sent: Answer): Read {
  if (typeof sent === 'number' || sent instanceof ExactNumber) return { value: sent }
  const match = isText(sent) && /\d/.test(sent) ? NUMBER.exec(sent) : null
  if (match === null) return { fault: 'Write a number, such as 12.5.' }
  const [, sign, whole, part = '', exponent = ''] = match
  const digits = `${whole!.replace(/^0+/, '') || '0'}${part === '' ? '' : `.${part}`}${exponent}`
  return { value: parseJson(`${sign === '-' ? '-' : ''}${digits}`) }
}

/** As browsers judge a field of this type. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
const LONGEST_EMAIL = 254

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
