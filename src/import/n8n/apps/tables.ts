import { isMembers, type Members, membersOf, textOf } from '../../values.ts'
import type { App, Given } from './app.ts'
import { READS_A_PAGE } from './app.ts'
import type { Settings } from './settings.ts'

/** What is written into columns: of newer versions by the mapper, of older ones the names of members. */
function columns(settings: Settings): unknown {
  const set = membersOf(settings.node.params.columns)
  if (isMembers(set.value) && set.mappingMode !== 'autoMapInputData') {
    const matched = Array.isArray(set.matchingColumns) ? set.matchingColumns.map(textOf) : []
    const entries = Object.entries(set.value).filter(
      ([name, value]) => value !== null && !(name === 'id' && matched.includes('id'))
    )
    return Object.fromEntries(entries.map(([name, value]) => [name, settings.filled(value)]))
  }
  const listed = settings.node.params.fields
  const isOld = Array.isArray(listed) && settings.node.params.addAllFields === false
  if (!isOld) return '{$data}'
  return Object.fromEntries(listed.map((name) => [textOf(name), `{[${textOf(name).replaceAll(']', '')}]?}`]))
}

const TABLE = '/{@base|application}/{@table}'
const FLAT = '({ id, createdTime, fields }) => ({ id, createdTime, ...fields })'

function airtableId(settings: Settings): string {
  const mapped = membersOf(membersOf(settings.node.params.columns).value).id
  return mapped === undefined ? settings.template('id') : settings.write.template(mapped)
}

function matchedBy({ node }: Settings): string[] {
  const matched = membersOf(node.params.columns).matchingColumns
  return (Array.isArray(matched) ? matched : []).map(textOf)
}

const search = {
  send: `GET ${TABLE}`,
  query: {
    filterByFormula: '@filterByFormula|additionalOptions.filterByFormula',
    maxRecords: '@limit',
    view: '@options.view|additionalOptions.view'
  },
  item: `(data.records ?? []).map(${FLAT})`,
  isMany: true,
  note: READS_A_PAGE
}

const airtable: App = {
  preset: 'airtable',
  calls: {
    'record/get': { send: `GET ${TABLE}/{@id}`, item: `(${FLAT})(data)` },
    'record/read': { send: `GET ${TABLE}/{@id}` },
    'record/search': search,
    'record/list': { ...search, item: 'data.records ?? []' },
    'record/create': {
      send: `POST ${TABLE}`,
      body: (settings) => ({
        fields: columns(settings),
        typecast: settings.raw('options.typecast') === true
      }),
      item: `(${FLAT})(data)`
    },
    'record/append': {
      send: `POST ${TABLE}`,
      body: (settings) => ({ fields: columns(settings), typecast: settings.raw('options.typecast') === true })
    },
    'record/update': {
      send: `PATCH ${TABLE}`,
      body: (settings) => {
        const names = matchedBy(settings)
        if (!names.includes('id') && names.length > 0)
          settings.write.tell(
            `It changes the row whose id it is given: n8n looked for those whose ${names.map((name) => JSON.stringify(name)).join(', ')} is the same. Let a search find the id before.`
          )
        return {
          records: [{ id: airtableId(settings), fields: columns(settings) }],
          typecast: settings.raw('options.typecast') === true
        }
      },
      item: `(data.records ?? [data]).map(${FLAT})[0]`
    },
    'record/upsert': {
      send: `PATCH ${TABLE}`,
      body: (settings) => {
        const names = matchedBy(settings)
        const byId = names.length === 0 || names.includes('id')
        if (byId) settings.write.tell('Where no row had the id n8n made one; here that fails.')
        return {
          ...(!byId && { performUpsert: { fieldsToMergeOn: names } }),
          records: [{ ...(byId && { id: airtableId(settings) }), fields: columns(settings) }],
          typecast: settings.raw('options.typecast') === true
        }
      },
      item: `(data.records ?? [data]).map(${FLAT})[0]`
    },
    'record/deleteRecord': { send: `DELETE ${TABLE}/{@id}` },
    'record/delete': { send: `DELETE ${TABLE}/{@id}` },
    'base/getMany': { send: 'GET /meta/bases', item: 'data.bases ?? []', isMany: true },
    'base/getSchema': { send: 'GET /meta/bases/{@base}/tables', item: 'data.tables ?? []', isMany: true }
  }
}

/** Conditions as PostgREST has them: any of several, where nobody asked for all. */
function conditions(settings: Settings): Given {
  if (filterType(settings) !== 'manual') return {}
  const all = filterRows(settings).map((row): [string, string] => [
    textOf(row.keyName),
    `${operatorOf(row)}.${settings.write.template(row.keyValue)}`
  ])
  const isAny = all.length > 1 && settings.raw('matchType') !== 'allFilters'
  return isAny
    ? { or: `(${all.map(([name, condition]) => `${name}.${condition}`).join(',')})` }
    : Object.fromEntries(all)
}

/** One row is looked for by what all of its conditions say. */
function rowConditions(settings: Settings): Given {
  return Object.fromEntries(
    filterRows(settings).map(({ keyName, keyValue }) => [
      textOf(keyName),
      `eq.${settings.write.template(keyValue)}`
    ])
  )
}

function filterType(settings: Settings): string {
  return textOf(settings.raw('filterType')) || 'manual'
}

function filterRows(settings: Settings) {
  return settings.rows('filters', 'conditions').filter(({ keyName }) => textOf(keyName) !== '')
}

function operatorOf({ condition, searchFunction }: Members): string {
  return (condition === 'fullText' ? textOf(searchFunction) : textOf(condition)) || 'eq'
}

/** A filter that was written by hand. */
function filterText(settings: Settings): string {
  const text = filterType(settings) === 'string' ? settings.write.address(settings.raw('filterString')) : ''
  return text.trim() === '' ? '' : `?${text.trim()}`
}

/** Without a condition every row of the table would be written over, or gone. */
function namesRows(settings: Settings): boolean {
  return filterText(settings) !== '' || Object.keys(conditions(settings)).length > 0
}

function supabaseRow(settings: Settings): unknown {
  const rows = settings.rows('fieldsUi', 'fieldValues')
  return /auto/i.test(textOf(settings.raw('dataToSend'))) || rows.length === 0
    ? '{$data}'
    : settings.table(rows, 'fieldId', 'fieldValue')
}

const RETURNS = { Prefer: 'return=representation' }

const supabase: App = {
  preset: 'supabase',
  calls: {
    'row/create': { send: 'POST /{@tableId}', headers: RETURNS, body: supabaseRow, item: '$list(data)[0]' },
    'row/getAll': {
      send: 'GET /{@tableId}@place',
      place: filterText,
      query: (settings) => ({
        select: '*',
        ...conditions(settings),
        ...(settings.given({ limit: '@limit' }) as Given)
      }),
      isMany: true
    },
    'row/get': {
      send: 'GET /{@tableId}',
      query: (settings) => ({ select: '*', ...rowConditions(settings) }),
      item: '$list(data)[0]'
    },
    'row/update': {
      send: 'PATCH /{@tableId}@place',
      place: filterText,
      isKnown: namesRows,
      headers: RETURNS,
      query: conditions,
      body: supabaseRow,
      item: '$list(data)[0]'
    },
    'row/delete': {
      send: 'DELETE /{@tableId}@place',
      place: filterText,
      isKnown: namesRows,
      headers: RETURNS,
      query: conditions,
      item: '$list(data)[0]'
    }
  }
}

/** Tables of which every row has a number or an id. */
function rowsOf(preset: string, table: string, row: string, list: string): App {
  return {
    preset,
    calls: {
      'row/get': { send: `GET ${table}/${row}` },
      'row/getAll': {
        send: `GET ${table}`,
        query: { limit: '@limit' },
        item: `data.${list} ?? $list(data)`,
        isMany: true
      },
      'row/create': { send: `POST ${table}`, body: fieldRows },
      'row/update': { send: `PATCH ${table}/${row}`, body: fieldRows },
      'row/delete': { send: `DELETE ${table}/${row}` }
    }
  }
}

function fieldRows(settings: Settings): unknown {
  const rows = settings.rows('fieldsUi', 'fieldValues')
  const name = rows.some(({ fieldName }) => fieldName !== undefined) ? 'fieldName' : 'fieldId'
  return rows.length === 0 ? '{$data}' : settings.table(rows, name, 'fieldValue')
}

export const TABLES: Readonly<Record<string, App>> = {
  airtable,
  supabase,
  baserow: rowsOf('', '/api/database/rows/table/{@tableId}', '{@rowId}', 'results'),
  nocoDb: rowsOf('', '/api/v1/db/data/noco/{@projectId}/{@table}', '{@id}', 'list')
}
