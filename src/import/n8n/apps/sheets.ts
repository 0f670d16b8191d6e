import { literalText } from '../../expressions/template-text.ts'
import { isMembers, membersIn, membersOf, textOf } from '../../values.ts'
import { chosen } from '../n8n-node.ts'
import { isWritten } from '../n8n-text.ts'
import type { App, AppCall } from './app.ts'
import type { Settings } from './settings.ts'

const BOOK = '/spreadsheets/{@documentId|sheetId}'

/** The name of the sheet: files know it where it was chosen from a list, else they may know its number alone. */
function sheetName(settings: Settings): string | undefined {
  const sheet = settings.node.params.sheetName ?? settings.node.params.range
  const { mode, cachedResultName } = membersOf(sheet)
  if (textOf(cachedResultName) !== '') return textOf(cachedResultName)
  const value = chosen(sheet)
  if (isWritten(value)) return undefined
  const isNumber = mode === 'id' || mode === 'url' || /^(?:gid=)?\d+$/.test(textOf(value))
  const name = textOf(value).split('!')[0]!
  return isNumber || name === '' ? 'Sheet1' : name
}

function range(settings: Settings): string {
  const name = sheetName(settings)
  return name === undefined
    ? settings.write.template(chosen(settings.node.params.sheetName ?? settings.node.params.range))
    : literalText(encodeURIComponent(name))
}

/** As an expression of JavaScript. */
function rangeJs(settings: Settings): string {
  const name = sheetName(settings)
  return name === undefined
    ? settings.write.js(chosen(settings.node.params.sheetName ?? settings.node.params.range))
    : JSON.stringify(name)
}

/** What is written, by column. */
function rowJs(settings: Settings): string {
  const columns = membersOf(settings.node.params.columns)
  const mode = textOf(columns.mappingMode) || textOf(settings.node.params.dataMode)
  if (/auto/i.test(mode)) return '$json'
  const rows = membersIn(
    membersOf(settings.node.params.fieldsUi).values ?? membersOf(settings.node.params.fieldsUi).fieldValues
  )
  const named = isMembers(columns.value)
    ? Object.entries(columns.value)
    : rows.map(({ fieldId, column, fieldValue }) => [textOf(fieldId) || textOf(column), fieldValue] as const)
  if (named.length === 0) return '$json'
  return `{ ${named.map(([name, value]) => `${JSON.stringify(name)}: ${settings.write.js(value)}`).join(', ')} }`
}

function matchedBy(settings: Settings): string {
  const columns = membersOf(settings.node.params.columns)
  const [first] = Array.isArray(columns.matchingColumns) ? columns.matchingColumns : []
  return textOf(first) || textOf(settings.raw('columnToMatchOn|key')) || 'row_number'
}

const TOLD = 'Look at the name of the sheet in the URL, where the file knew its number alone.'

/** Rows are written by the names of the first row, as n8n does. */
function writes(how: 'append' | 'update' | 'either'): AppCall {
  const body = (settings: Settings) => `const $names = $there.values?.[0] ?? []
const $row = ${rowJs(settings)}
const $cell = (value) => (value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : value)
const $line = $names.map((name) => $cell($row[name]))`
  if (how === 'append')
    return {
      send: `POST ${BOOK}/values/@place:append?valueInputOption=USER_ENTERED`,
      place: range,
      before: {
        send: `GET ${BOOK}/values/@place!1:1`,
        body: (settings) => `${body(settings)}\nreturn { values: [$line] }`
      },
      note: TOLD
    }
  return {
    send: `POST ${BOOK}/values:batchUpdate`,
    place: range,
    before: {
      send: `GET ${BOOK}/values/@place`,
      body: (settings) => `${body(settings)}
const $by = ${JSON.stringify(matchedBy(settings))}
const $column = $names.indexOf($by)
const $found = $by === 'row_number' ? Number($row.row_number) - 1 : ($there.values ?? []).findIndex((line, at) => at > 0 && String(line[$column] ?? '') === String($row[$by] ?? ''))
${how === 'update' ? 'if (!($found > 0)) throw new Error("No row has this " + $by + ".")' : 'const $new = ($there.values ?? []).length'}
const $at = ${how === 'update' ? '$found' : '$found > 0 ? $found : $new'}
const $letter = (at) => (at < 26 ? '' : $letter(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26))
return { valueInputOption: 'USER_ENTERED', data: $names.flatMap((name, at) => name in $row ? [{ range: "'" + ${rangeJs(settings)}.replaceAll("'", "''") + "'!" + $letter(at) + ($at + 1), values: [[$cell($row[name])]] }] : []) }`
    },
    note: TOLD
  }
}

const ROWS = `(([names = [], ...lines]) => lines.map((line, at) => ({ row_number: at + 2, ...Object.fromEntries(names.map((name, column) => [name, line[column] ?? ''])) })))(data.values ?? [])`

/** Rows that have a value, where it asks for some. */
function found(settings: Settings): string {
  const filters = settings
    .rows('filtersUI', 'values')
    .filter(({ lookupColumn }) => textOf(lookupColumn) !== '')
  const asks = filters.map(
    ({ lookupColumn, lookupValue }) =>
      `String(row[${JSON.stringify(textOf(lookupColumn))}] ?? '') === String(${settings.write.js(lookupValue ?? '')})`
  )
  const join = settings.raw('combineFilters') === 'OR' ? ' || ' : ' && '
  return asks.length === 0 ? '' : `.filter((row) => ${asks.join(join)})`
}

export const googleSheets: App = {
  preset: 'google-sheets',
  calls: {
    'sheet/read': {
      send: `GET ${BOOK}/values/@place`,
      place: range,
      item: (settings) => `${ROWS}${found(settings)}`,
      isMany: true,
      note: TOLD
    },
    'sheet/lookup': {
      send: `GET ${BOOK}/values/@place`,
      place: range,
      item: (settings) =>
        `${ROWS}.filter((row) => String(row[${settings.js('lookupColumn')}] ?? '') === String(${settings.js('lookupValue')}))`,
      isMany: true,
      note: TOLD
    },
    'sheet/append': writes('append'),
    'sheet/appendOrUpdate': writes('either'),
    'sheet/update': writes('update'),
    'sheet/upsert': writes('either'),
    'sheet/clear': { send: `POST ${BOOK}/values/@place:clear`, place: range, note: TOLD },
    'sheet/create': {
      send: `POST ${BOOK}:batchUpdate`,
      body: { requests: [{ addSheet: { properties: { title: '@title' } } }] },
      item: 'data.replies?.[0]?.addSheet?.properties ?? data'
    },
    'spreadsheet/create': { send: 'POST /spreadsheets', body: { properties: { title: '@title' } } }
  }
}
