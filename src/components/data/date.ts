import {
  addTo,
  compileTemplate,
  dateFormat,
  defineComponent,
  difference,
  endOf,
  type FieldFault,
  formatFault,
  inField,
  inTurns,
  isoDate,
  type JsonValue,
  type Step,
  StepError,
  scopeOf,
  startOf,
  type Template,
  templateFault,
  UNITS,
  type Unit,
  ZONE_HELP,
  type Zone,
  zoneNamed
} from '../../plugin-api.ts'
import { readFormatFault } from './date-parse.ts'
import { describe } from './describe.ts'
import { AS_FIELD, eachItem } from './each-item.ts'
import { numberOf } from './number-of.ts'
import { DATE_HELP, type DateRules, dateRules, readDate } from './read-date.ts'
import { localeFault } from './sorted.ts'
import { startOfRun } from './start-of-run.ts'

const OPERATIONS = ['Format', 'Add', 'Subtract', 'Difference', 'Start of', 'End of'] as const

/** Reads dates, computes with them and writes them. */
export const date = defineComponent({
  type: 'date',
  title: 'Date',
  description: 'Reads a date, computes with it in a time zone, and writes it in any format.',
  category: 'Data',
  icon: 'calendar',
  keywords: [
    'date & time',
    'datetime',
    'time',
    'timestamp',
    'timezone',
    'format date',
    'add days',
    'difference',
    'now',
    'moment',
    'luxon'
  ],
  example: '{ordered_at} plus 3 days, written as dd.MM.yyyy in Europe/Berlin.',
  effects: 'pure',
  fields: {
    operation: { kind: 'choice', title: 'Operation', choices: OPERATIONS, default: 'Format' },
    date: {
      kind: 'template',
      title: 'Date',
      help: 'ISO 8601, seconds or milliseconds since 1970, or as Input format says. now: when the run began. Empty: the data.',
      placeholder: '{ordered_at}'
    },
    amount: {
      kind: 'template',
      title: 'Amount',
      help: 'What is added or subtracted.',
      placeholder: '3',
      default: '1'
    },
    other: {
      kind: 'template',
      title: 'Until',
      help: 'For Difference: the other date.',
      placeholder: '{delivered_at}',
      default: 'now'
    },
    unit: { kind: 'choice', title: 'Unit', choices: UNITS, default: 'days' },
    timezone: {
      kind: 'text',
      title: 'Time zone',
      help: 'Of the calendar, of the result, and of dates that name none.',
      default: 'UTC',
      placeholder: 'Europe/Berlin'
    },
    format: {
      kind: 'text',
      title: 'Format',
      help: 'How the result is written: yyyy, MM, dd, HH, mm, ss, MMMM, EEEE and others; X and x are seconds and milliseconds since 1970. Empty: ISO 8601.',
      placeholder: 'dd.MM.yyyy HH:mm'
    },
    ...AS_FIELD,
    input_format: {
      kind: 'text',
      title: 'Input format',
      help: 'How the dates are written, by the same letters, where it is not ISO 8601.',
      placeholder: 'dd/MM/yyyy',
      hidden: true
    },
    locale: {
      kind: 'text',
      title: 'Language',
      help: 'Of the names of months and days.',
      default: 'en',
      placeholder: 'en',
      hidden: true
    }
  },
  mainFields: ['date'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    data: {
      title: 'Data',
      type: 'any',
      help: 'The date as text; of Difference a number. Of a list, one for each item.'
    }
  },
  check: (fields) => faultsOf(fields),
  prepare: ({ date, amount, other }) => ({
    date: compileTemplate(date),
    amount: compileTemplate(amount),
    other: compileTemplate(other)
  }),
  run: (step) => {
    const rules = rulesOf(step.fields)
    const compute = (item: JsonValue) => computed(step as DateStep, item, rules)
    return inTurns(eachItem(step.inputs.data, step.fields.as, compute), step)
  }
})

interface DateFields {
  readonly operation: (typeof OPERATIONS)[number]
  readonly date: string
  readonly amount: string
  readonly other: string
  readonly unit: Unit
  readonly timezone: string
  readonly format: string
  readonly input_format: string
  readonly locale: string
}

interface DateStep extends Pick<Step, 'run' | 'now'> {
  readonly fields: DateFields
  readonly prepared: Readonly<Record<'date' | 'amount' | 'other', Template>>
}

function computed(step: DateStep, item: JsonValue, rules: StepRules): JsonValue {
  const { operation, unit, format } = step.fields
  const { zone } = rules
  const at = dateIn('date', step, item, rules)
  if (operation === 'Difference') return difference(at, dateIn('other', step, item, rules), unit, zone)
  const ms = moved(operation, at, () => amountIn(step, item), unit, zone)
  if (rules.write === undefined) return isoDate(ms, zone)
  const text = rules.write(ms)
  return /^[xX]$/.test(format.trim()) ? Number(text) : text
}

function moved(operation: string, at: number, amount: () => number, unit: Unit, zone: Zone): number {
  switch (operation) {
    case 'Add':
      return inRange(addTo(at, amount(), unit, zone))
    case 'Subtract':
      return inRange(addTo(at, -amount(), unit, zone))
    case 'Start of':
      return startOf(at, unit, zone)
    case 'End of':
      return endOf(at, unit, zone)
    default:
      return at
  }
}

function dateIn(field: 'date' | 'other', step: DateStep, item: JsonValue, rules: DateRules): number {
  const { data, variables } = scopeOf(item, step.run.variables)
  const isEmpty = step.fields[field].trim() === ''
  const value = isEmpty ? item : inField(field, () => step.prepared[field].renderValue(data, variables))
  if (typeof value === 'string' && value.trim().toLowerCase() === 'now')
    return startOfRun(step.run.id) ?? step.now()
  const ms = readDate(value, rules)
  if (ms !== undefined) return ms
  const written = step.fields.input_format.trim()
  const way = written === '' ? DATE_HELP : `It should be written as ${written}.`
  throw new StepError(`Field "${field}": ${describe(value)} is not a date. ${way}`, {
    code: 'invalid_date',
    retryable: false
  })
}

function amountIn({ prepared, run }: DateStep, item: JsonValue): number {
  const { data, variables } = scopeOf(item, run.variables)
  const value = inField('amount', () => prepared.amount.renderValue(data, variables))
  const amount = Number(numberOf(value) ?? Number.NaN)
  if (Number.isSafeInteger(amount)) return amount
  throw new StepError(`Field "amount": ${describe(value)} is not a whole number.`, {
    code: 'not_a_number',
    retryable: false
  })
}

function inRange(ms: number): number {
  if (!Number.isNaN(new Date(ms).getTime())) return ms
  throw new StepError('The date is out of range. Add or subtract less.', {
    code: 'invalid_date',
    retryable: false
  })
}

interface StepRules extends DateRules {
  /** Undefined: as in ISO 8601. */
  readonly write: ((ms: number) => string) | undefined
}

function rulesOf({ timezone, format, input_format, locale }: DateFields): StepRules {
  const zone = zoneNamed(timezone)
  if (zone === undefined)
    throw new StepError(unknownZone(timezone), { code: 'unknown_zone', retryable: false })
  const wrong = formatFault(format) ?? readFormatFault(input_format)
  if (wrong !== undefined) throw new StepError(wrong, { code: 'invalid_format', retryable: false })
  const write = format.trim() === '' ? undefined : dateFormat(format, zone, locale)
  return { ...dateRules(input_format, zone, locale), write }
}

function unknownZone(name: string): string {
  return `"${name.slice(0, 80)}" is not a time zone. ${ZONE_HELP}`
}

function faultsOf(fields: DateFields): FieldFault[] {
  const templates = (['date', 'amount', 'other'] as const).flatMap((field) => {
    const fault = templateFault(fields[field])
    return fault === undefined ? [] : [{ field, ...fault }]
  })
  const texts: [field: string, text: string, fault: (text: string) => string | undefined][] = [
    ['timezone', fields.timezone, (name) => (zoneNamed(name) === undefined ? unknownZone(name) : undefined)],
    ['format', fields.format, formatFault],
    ['input_format', fields.input_format, readFormatFault],
    ['locale', fields.locale, localeFault]
  ]
  return [
    ...templates,
    ...texts.flatMap(([field, text, fault]) => {
      // What a variable of the context will say, only the run knows.
      const message = text.includes('{$') ? undefined : fault(text)
      return message === undefined ? [] : [{ field, message }]
    })
  ]
}
