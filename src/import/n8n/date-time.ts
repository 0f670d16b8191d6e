import { type Members, membersOf, textOf } from '../values.ts'
import { type Mapping, perItem, several } from './mapping.ts'
import { isWritten } from './n8n-text.ts'

const OPERATIONS: Readonly<Record<string, string>> = {
  add: 'Add',
  addToDate: 'Add',
  subtract: 'Subtract',
  subtractFromDate: 'Subtract',
  formatDate: 'Format',
  getTimeBetweenDates: 'Difference',
  roundDate: 'Start of'
}
const UNITS = ['years', 'quarters', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds']
const WRITTEN_TO: Readonly<Record<string, string>> = {
  getCurrentDate: 'currentDate',
  formatDate: 'formattedDate',
  getTimeBetweenDates: 'timeDifference',
  roundDate: 'roundedDate',
  extractDate: 'datePart'
}

/** Numbers are seconds where they are shorter than 12 digits; texts that are not ISO 8601 are read as JavaScript reads them. */
const DATE_OF = `const $dateOf = (value) => {
  const number = typeof value === 'object' || String(value).trim() === '' ? NaN : Number(value)
  if (Number.isNaN(number)) return DateTime.fromISO(value)
  const whole = Number.isInteger(number) ? number : Math.round(number * 1000)
  return DateTime.fromMillis(String(whole).length < 12 ? whole * 1000 : whole)
}`

/** Before version 2 it formats or calculates, and keeps the item; since then it gives the date alone, unless it is told otherwise. */
export const dateTime: Mapping = (node, write, place) => {
  const { params, version } = node
  const isNew = version >= 2
  const usual = isNew ? 'getCurrentDate' : params.action === 'calculate' ? 'add' : 'formatDate'
  const operation = textOf(params.operation) || usual
  const as =
    textOf(params.outputFieldName) ||
    textOf(params.dataPropertyName) ||
    (isNew ? (WRITTEN_TO[operation] ?? 'newDate') : 'data')
  const keeps = !isNew || membersOf(params.options).includeInputFields === true
  const beside = keeps ? '...$json, ' : ''
  const item = (js: string) => `return { ${beside}${JSON.stringify(as)}: ${js} }`
  const giving = (js: string) => perItem(write, place, item(js))
  if (operation === 'getCurrentDate')
    return giving(params.includeTime === false ? "$now.startOf('day').toISO()" : '$now.toISO()')
  const written = computedFrom(params, operation, `$dateOf(${write.js(params.date)})`)
  if (written !== undefined) return perItem(write, place, item(written), [DATE_OF])
  if (Array.isArray(params.units) && params.units.length > 1)
    write.tell(`It gives the time between them only in ${unitOf(params)}, which was told in several units.`)
  const isTold = textOf(membersOf(params.options).fromFormat) !== ''
  if (!isTold)
    write.tell(
      'Dates are read as ISO 8601, also with slashes, as in a mail, or as a number: of others say in Input format how they are written.'
    )
  const part = { type: 'date', fields: fieldsOf(node, operation, as, write) }
  if (keeps) return several({ main: part }, write, { takes: 'data', gives: 'data' })
  const shown = operation === 'getTimeBetweenDates' ? `{ ${JSON.stringify(unitOf(params))}: value }` : 'value'
  const given = {
    type: 'code',
    title: 'As n8n gives it',
    fields: {
      code: `const $one = (item) => { const value = item[${JSON.stringify(as)}]; return { ${JSON.stringify(as)}: ${shown} } }
return Array.isArray(data) ? data.map($one) : $one(data)`
    }
  }
  return several({ main: part, given }, write, { takes: 'data', gives: 'result' }, [
    ['main.data', 'given.data']
  ])
}

/** What Date does not do. */
function computedFrom(params: Members, operation: string, date: string): string | undefined {
  if (operation === 'extractDate') {
    const part = textOf(params.part) || 'month'
    return `${date}[${JSON.stringify(part === 'week' ? 'weekNumber' : part)}]`
  }
  if (operation !== 'roundDate' || params.mode !== 'roundUp') return undefined
  const to = JSON.stringify(textOf(params.to) || 'month')
  return `${date}.plus(1, ${to}).startOf(${to}).toISO()`
}

function fieldsOf(
  { params, version }: Parameters<Mapping>[0],
  operation: string,
  as: string,
  write: Parameters<Mapping>[1]
): Record<string, unknown> {
  const chosen = textOf(params.format) || textOf(params.toFormat)
  const format =
    chosen === 'custom'
      ? textOf(params.customFormat)
      : chosen || (operation === 'formatDate' ? 'MM/dd/yyyy' : '')
  const from = textOf(membersOf(params.options).fromFormat)
  return {
    operation: OPERATIONS[operation] ?? 'Format',
    date: write.template(params.date ?? params.magnitude ?? params.startDate ?? params.value),
    ...(params.duration !== undefined && { amount: write.template(params.duration) }),
    ...(params.endDate !== undefined && { other: write.template(params.endDate) }),
    unit: unitOf(params),
    ...(format !== '' && !isWritten(format) && { format: inLuxon(format, version) }),
    ...(from !== '' && !isWritten(from) && { input_format: inLuxon(from, version) }),
    as
  }
}

function unitOf(params: Parameters<Mapping>[0]['params']): string {
  const units = Array.isArray(params.units) ? textOf(params.units[0]) : textOf(params.units)
  const unit = textOf(params.timeUnit) || units || textOf(params.toNearest) || 'days'
  return UNITS.find((each) => each === unit.replace(/s?$/, 's')) ?? 'days'
}

/** Older versions write formats by the letters of Moment. */
function inLuxon(format: string, version: number): string {
  return version >= 2 && !/Y|D/.test(format) ? format : format.replace(/Y/g, 'y').replace(/D/g, 'd')
}
