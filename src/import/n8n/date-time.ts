import { membersOf, textOf } from '../values.ts'
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
  const giving = (js: string) => perItem(write, place, `return { ${beside}${JSON.stringify(as)}: ${js} }`)
  if (operation === 'getCurrentDate')
    return giving(params.includeTime === false ? "$now.startOf('day').toISO()" : '$now.toISO()')
  if (operation === 'extractDate') {
    const part = JSON.stringify(textOf(params.part) || 'month')
    return giving(`DateTime.fromISO(${write.js(params.date)})[${part}]`)
  }
  const isTold = textOf(membersOf(params.options).fromFormat) !== ''
  if (!isTold)
    write.tell(
      'Dates are read as ISO 8601 or as a number: of others say in Input format how they are written.'
    )
  const part = { type: 'date', fields: fieldsOf(node, operation, as, write) }
  if (keeps) return several({ main: part }, write, { takes: 'data', gives: 'data' })
  const shown = operation === 'getTimeBetweenDates' ? `{ ${JSON.stringify(unitOf(params))}: value }` : 'value'
  const item = {
    type: 'code',
    title: 'As n8n gives it',
    fields: {
      code: `const $one = (item) => { const value = item[${JSON.stringify(as)}]; return { ${JSON.stringify(as)}: ${shown} } }
return Array.isArray(data) ? data.map($one) : $one(data)`
    }
  }
  return several({ main: part, item }, write, { takes: 'data', gives: 'result' }, [
    ['main.data', 'item.data']
  ])
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
