import { at, listOf, type Members, membersIn, textOf } from '../../values.ts'
import { type App, type Given, READS_A_PAGE } from './app.ts'
import type { Settings } from './settings.ts'

/** Of `Name|rich_text`. */
function keyOf(row: Members): [name: string, type: string] {
  const [name = '', type = 'rich_text'] = textOf(row.key).split('|')
  return [name, type]
}

/** A property as Notion takes it. */
function property(row: Members, settings: Settings): Given {
  const [, type] = keyOf(row)
  const filled = (value: unknown) => settings.filled(value ?? '')
  const texts = (value: unknown) => [{ text: { content: filled(value) } }]
  switch (type) {
    case 'title':
      return { title: texts(row.title) }
    case 'rich_text':
      return { rich_text: texts(row.textContent) }
    case 'number':
      return { number: filled(row.numberValue) }
    case 'select':
      return { select: { name: filled(row.selectValue) } }
    case 'status':
      return { status: { name: filled(row.statusValue) } }
    case 'multi_select':
      return { multi_select: listOf(row.multiSelectValue).map((name) => ({ name: filled(name) })) }
    case 'url':
      return { url: filled(row.urlValue) }
    case 'email':
      return { email: filled(row.emailValue) }
    case 'phone_number':
      return { phone_number: filled(row.phoneValue) }
    case 'checkbox':
      return { checkbox: row.checkboxValue === undefined ? false : filled(row.checkboxValue) }
    case 'date':
      return { date: { start: filled(row.date ?? row.dateStart) } }
    case 'relation':
      return { relation: [row.relationValue ?? []].flat().map((id) => ({ id: filled(id) })) }
    default:
      return { [type]: filled(row[`${type}Value`]) }
  }
}

function properties(settings: Settings): Record<string, unknown> {
  const rows = settings.rows('propertiesUi', 'propertyValues')
  return Object.fromEntries(rows.map((row) => [keyOf(row)[0], property(row, settings)]))
}

function blocks(settings: Settings): unknown[] {
  const rows = membersIn(at(settings.node.params, 'blockUi', 'blockValues'))
  return rows.map((row) => {
    const type = textOf(row.type) || 'paragraph'
    return { type, [type]: { rich_text: [{ text: { content: settings.filled(row.textContent ?? '') } }] } }
  })
}

/** What n8n makes of pages where it makes them simple. */
const SIMPLE = `((page) => ({ id: page.id, name: Object.values(page.properties ?? {}).find(({ type }) => type === 'title')?.title?.map(({ plain_text }) => plain_text).join('') ?? '', url: page.url, ...Object.fromEntries(Object.entries(page.properties ?? {}).map(([name, value]) => {
  const inner = value[value.type]
  const shown = value.type === 'title' || value.type === 'rich_text' ? inner.map(({ plain_text }) => plain_text).join('') : value.type === 'multi_select' ? inner.map(({ name }) => name) : value.type === 'relation' ? inner.map(({ id }) => id) : inner?.name ?? inner
  return ['property_' + name.toLowerCase().replace(/[^a-z0-9]+/g, '_'), shown]
})) }))`

const page = (settings: Settings) => (settings.raw('simple') === false ? 'data' : `${SIMPLE}(data)`)
const pages = (settings: Settings) =>
  settings.raw('simple') === false ? 'data.results ?? []' : `(data.results ?? []).map(${SIMPLE})`

/** What a row of a filter says besides the value that is looked for. */
const ABOUT = /^(?:key|type|condition|returnType)$/

function filterOf(settings: Settings): Given {
  if (textOf(settings.raw('filterType')) === 'json') return { filter: settings.template('filterJson') }
  const rows = settings.rows('filters', 'conditions')
  const filters = rows.map((row) => {
    const [name, type] = keyOf(row)
    const { condition, returnType } = row
    const value = Object.entries(row).find(([member]) => !ABOUT.test(member))?.[1]
    const kind = textOf(returnType) || type
    const isAsked = /is_(?:not_)?empty/.test(textOf(condition))
    return {
      property: name,
      [kind]: { [textOf(condition) || 'equals']: isAsked ? true : settings.filled(value ?? '') }
    }
  })
  const join = settings.raw('matchType') === 'allFilters' ? 'and' : 'or'
  return filters.length === 0 ? {} : { filter: filters.length === 1 ? filters[0] : { [join]: filters } }
}

const create = {
  send: 'POST /pages',
  body: (settings: Settings) => {
    const title = settings.template('title')
    const named = title === '' ? {} : { title: [{ text: { content: title } }] }
    const children = blocks(settings)
    return {
      parent: { database_id: settings.template('databaseId') },
      properties: { ...(title !== '' && { title: named }), ...properties(settings) },
      ...(children.length > 0 && { children })
    }
  },
  item: page
}

export const notion: App = {
  preset: 'notion',
  calls: {
    'block/append': {
      send: 'PATCH /blocks/{@blockId}/children',
      body: (settings) => ({ children: blocks(settings) })
    },
    'block/getAll': {
      send: 'GET /blocks/{@blockId}/children',
      query: { page_size: '@limit' },
      item: `(data.results ?? []).map((block) => ({ ...block, content: (block[block.type]?.rich_text ?? []).map(({ plain_text }) => plain_text).join('') }))`,
      isMany: true,
      note: READS_A_PAGE
    },
    'databasePage/create': create,
    'databasePage/update': {
      send: 'PATCH /pages/{@pageId}',
      body: (settings) => ({ properties: properties(settings) }),
      item: page
    },
    'databasePage/get': { send: 'GET /pages/{@pageId}', item: page },
    'databasePage/getAll': {
      send: 'POST /databases/{@databaseId}/query',
      body: (settings) => ({
        ...filterOf(settings),
        ...(settings.given({ page_size: '@limit' }) as Given)
      }),
      item: pages,
      isMany: true,
      note: READS_A_PAGE
    },
    'database/get': { send: 'GET /databases/{@databaseId}' },
    'database/search': {
      send: 'POST /search',
      body: (settings) => ({
        filter: { property: 'object', value: 'database' },
        ...(settings.given({ query: '@text' }) as Given)
      }),
      item: 'data.results ?? []',
      isMany: true
    },
    'database/getAll': {
      send: 'POST /search',
      body: () => ({ filter: { property: 'object', value: 'database' } }),
      item: 'data.results ?? []',
      isMany: true
    },
    'page/create': {
      send: 'POST /pages',
      body: (settings) => {
        const children = blocks(settings)
        return {
          parent: { page_id: settings.template('pageId') },
          properties: { title: [{ text: { content: settings.template('title') } }] },
          ...(children.length > 0 && { children })
        }
      },
      item: page
    },
    'page/search': {
      send: 'POST /search',
      body: (settings) => ({ ...(settings.given({ query: '@text', page_size: '@limit' }) as Given) }),
      item: pages,
      isMany: true
    },
    'page/get': { send: 'GET /pages/{@pageId}', item: page },
    'page/archive': { send: 'PATCH /pages/{@pageId}', body: () => ({ archived: true }) },
    'user/getAll': { send: 'GET /users', item: 'data.results ?? []', isMany: true },
    'user/get': { send: 'GET /users/{@userId}' }
  }
}
