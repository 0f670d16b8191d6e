import { bounded, isMembers, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, made } from './mapping.ts'
import { chosen, type N8nNode } from './n8n-node.ts'
import { isWritten, piecesOf } from './n8n-text.ts'
import type { Writer } from './writer.ts'

interface Statement {
  readonly query: string
  readonly parameters: Record<string, unknown>
}

function database(kind: string): Mapping {
  return (node, write) => {
    const { query, parameters } = statementOf(node, write)
    const fields = {
      connection: write.connection(kind),
      query,
      ...(Object.keys(parameters).length > 0 && { parameters })
    }
    const returns = /^\s*(?:select|with|show)\b|\breturning\b/i.test(query)
    return made({ type: 'sql', fields }, write, { takes: 'data', gives: returns ? 'rows' : 'result' })
  }
}

function statementOf(node: N8nNode, write: Writer): Statement {
  const { params } = node
  const operation = textOf(params.operation) || (params.query === undefined ? 'insert' : 'executeQuery')
  if (operation === 'executeQuery') return written(params, write)
  const schema = textOf(chosen(params.schema))
  const table = [schema, textOf(chosen(params.table))]
    .filter((name) => name !== '')
    .map(quoted)
    .join('.')
  if (operation === 'select') {
    const where = whereOf(params, write)
    const limit = params.returnAll === true ? '' : ` LIMIT ${bounded(params.limit, 1, 1_000_000) ?? 50}`
    return { query: `SELECT * FROM ${table}${where.query}${limit}`, parameters: where.parameters }
  }
  if (operation === 'delete' || operation === 'deleteTable') {
    const where = whereOf(params, write)
    if (where.query === '') write.tell('It has no condition: every row is deleted.')
    return { query: `DELETE FROM ${table}${where.query}`, parameters: where.parameters }
  }
  return changed(operation, table, params, write)
}

/** What stands in a query is given as a value, and never as a part of its text. */
function written(params: Members, write: Writer): Statement {
  const parameters: Record<string, unknown> = {}
  const add = (value: unknown) => {
    const name = `p${Object.keys(parameters).length + 1}`
    parameters[name] = write.template(value)
    return `:${name}`
  }
  const source = params.query
  if (!isWritten(source)) {
    const given = membersOf(params.options).queryReplacement ?? membersOf(params.additionalFields).queryParams
    const values = textOf(given)
      .replace(/^=/, '')
      .split(',')
      .map((value) => value.trim())
      .filter((value) => value !== '')
    const query = textOf(source).replace(/\$(\d+)/g, (whole, n: string) => {
      const value = values[Number(n) - 1]
      return value === undefined
        ? whole
        : add(/\{\{/.test(value) ? `=${value}` : `={{ $json[${JSON.stringify(value)}] }}`)
    })
    return { query, parameters }
  }
  const pieces = piecesOf(source)
  const query = pieces
    .map(({ kind, text }, at) => {
      if (kind === 'expression') return add(`={{ ${text} }}`)
      // Its quotes would make a text of the name of the value.
      const begins = pieces[at - 1]?.kind === 'expression' ? text.replace(/^['"]/, '') : text
      return pieces[at + 1]?.kind === 'expression' ? begins.replace(/['"]$/, '') : begins
    })
    .join('')
  write.tell(
    'What expressions put into the query are values of it: where one was a part of the query, write that out.'
  )
  return { query, parameters }
}

function whereOf(params: Members, write: Writer): Statement {
  const parameters: Record<string, unknown> = {}
  const signs: Readonly<Record<string, string>> = {
    equal: '=',
    '!=': '<>',
    LIKE: 'LIKE',
    '>': '>',
    '<': '<',
    '>=': '>=',
    '<=': '<=',
    'IS NULL': 'IS NULL',
    'IS NOT NULL': 'IS NOT NULL'
  }
  const conditions = membersIn(membersOf(params.where).values).map(({ column, condition, value }, at) => {
    const asked = textOf(condition) || 'equal'
    const sign = signs[asked] ?? '='
    if (signs[asked] === undefined) write.tell(`Its condition "${asked}" is "=" here: change that by hand.`)
    if (sign.startsWith('IS')) return `${quoted(textOf(column))} ${sign}`
    parameters[`w${at + 1}`] = write.template(value)
    return `${quoted(textOf(column))} ${sign} :w${at + 1}`
  })
  const join = params.combineConditions === 'OR' ? ' OR ' : ' AND '
  return { query: conditions.length === 0 ? '' : ` WHERE ${conditions.join(join)}`, parameters }
}

function changed(operation: string, table: string, params: Members, write: Writer): Statement {
  const columns = membersOf(params.columns)
  const mapped = membersOf(columns.value)
  const rows = membersIn(membersOf(params.valuesToSend).values).map(
    ({ column, value }) => [textOf(column), value] as const
  )
  const named = isMembers(params.columns) ? Object.entries(mapped) : rows
  const listed =
    typeof params.columns === 'string'
      ? params.columns
          .split(',')
          .map((name) => [name.trim(), `={{ $json[${JSON.stringify(name.trim())}] }}`] as const)
      : []
  const values = [...named, ...rows.filter(() => !isMembers(params.columns)), ...listed].filter(
    ([name], at, all) => name !== '' && all.findIndex(([other]) => other === name) === at
  )
  const parameters = Object.fromEntries(values.map(([, value], at) => [`v${at + 1}`, write.template(value)]))
  const names = values.map(([name]) => quoted(name))
  if (values.length === 0) write.tell('Which columns it writes followed from the data: write them out.')
  const matched = (
    Array.isArray(columns.matchingColumns) ? columns.matchingColumns : [params.updateKey ?? 'id']
  ).map((name) => textOf(name) || 'id')
  if (operation === 'update') {
    const where = matched.map(
      (name) => `${quoted(name)} = :v${values.findIndex(([other]) => other === name) + 1 || 1}`
    )
    return {
      query: `UPDATE ${table} SET ${names.map((name, at) => `${name} = :v${at + 1}`).join(', ')} WHERE ${where.join(' AND ')}`,
      parameters
    }
  }
  const insert = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, at) => `:v${at + 1}`).join(', ')})`
  if (operation !== 'upsert') return { query: insert, parameters }
  const set = names.map((name) => `${name} = excluded.${name}`).join(', ')
  return {
    query: `${insert} ON CONFLICT (${matched.map(quoted).join(', ')}) DO UPDATE SET ${set}`,
    parameters
  }
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}

const redis: Mapping = (node, write) => {
  const { params } = node
  const operation = textOf(params.operation)
  const operations: Readonly<Record<string, string>> = {
    get: 'Get',
    set: 'Set',
    incr: 'Increment',
    delete: 'Delete'
  }
  const fields = {
    operation: operations[operation] ?? 'Get',
    key: write.template(params.key),
    ...(operation === 'set' && { value: write.template(params.value) }),
    ...(params.expire === true && { expires_in: `${bounded(params.ttl, 1, 31_536_000) ?? 60}s` })
  }
  const name = textOf(params.propertyName) || 'propertyName'
  const become = made(
    { type: 'keep', fields },
    write,
    { takes: 'data', gives: 'data' },
    'The value is kept by Millrace, for the flows of its context; what lies in Redis stays there.'
  )
  if (operation !== 'get') return become
  const item = {
    type: 'transform',
    title: 'As n8n gives it',
    fields: { expression: `{ ${JSON.stringify(name)}: $ }` }
  }
  return {
    ...become,
    parts: { ...become.parts, item },
    links: [['main.data', 'item.data']],
    gives: () => 'item.data'
  }
}

export const DATABASES: Readonly<Record<string, Mapping>> = {
  postgres: database('postgres'),
  timescaleDb: database('postgres'),
  crateDb: database('postgres'),
  questDb: database('postgres'),
  mySql: database('mysql'),
  'redis/get': redis,
  'redis/set': redis,
  'redis/incr': redis,
  'redis/delete': redis
}
