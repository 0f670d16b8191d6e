import {
  compileTemplateTree,
  defineComponent,
  type FieldFault,
  isPlainObject,
  type JsonValue,
  StepError,
  TemplateError,
  type TemplateTree,
  type Turns,
  templateTreeFaults
} from '../../plugin-api.ts'
import type { Dialect } from './dialect.ts'
import { DATABASE_KINDS, databaseResource } from './open-database.ts'
import { IDEMPOTENCY_KEY, missingWords, valuesBy } from './parameter-values.ts'
import {
  BadStatement,
  parametersIn,
  readEverywhere,
  readStatement,
  type SqlStatement,
  statementFault
} from './read-statement.ts'
import { commitUnknown, placeOf, placeWords, type SqlErrorCode, sqlError } from './sql-errors.ts'

/** Made once: with its stack an error for each commit was 3 % of the main thread, and hardly any is ever told. */
const MAY_BE_COMMITTED = commitUnknown('The change may have been committed')

const VARIABLE = /\{\$[A-Za-z_][\w-]*\}/

/** What a statement begins with that changes nothing, unless a function does that it calls. */
const ONLY_READS = /^\s*(?:select|values|table|show|explain\s+select)\b(?!.*\b(?:into|for\s+update)\b)/is

/** One statement to a database, in a transaction of its own. */
export const sql = defineComponent({
  type: 'sql',
  title: 'SQL',
  description: 'Runs one SQL statement, with parameters.',
  category: 'Data',
  icon: 'database',
  keywords: [
    'database',
    'db',
    'query',
    'postgres',
    'postgresql',
    'mysql',
    'mariadb',
    'sqlite',
    'select',
    'insert',
    'table'
  ],
  example: 'select * from orders where customer = :customer gives rows.',
  fields: {
    connection: {
      kind: 'connection',
      title: 'Connection',
      help: 'The database. The context of the flow decides which connection the name means.',
      kinds: DATABASE_KINDS
    },
    query: {
      kind: 'text',
      title: 'Query',
      help: 'One statement, without values in it: write :name, and define it under Parameters.',
      placeholder: 'select id, total from orders where customer = :customer',
      multiline: true
    },
    parameters: {
      kind: 'json',
      title: 'Parameters',
      help: 'The value of each :name: a template that reads {key} from the data. :idempotency_key is always there.',
      default: {}
    },
    max_rows: {
      kind: 'number',
      title: 'Most rows',
      help: 'A query that returns more rows fails, and nothing is committed.',
      default: 10_000,
      min: 1,
      max: 1_000_000,
      integer: true,
      hidden: true
    },
    statement_timeout_ms: {
      kind: 'number',
      title: 'Statement timeout',
      help: 'In milliseconds. The database cancels a statement that takes longer.',
      default: 60_000,
      min: 1,
      max: 86_400_000,
      integer: true,
      hidden: true
    }
  },
  mainFields: ['query'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: { rows: { title: 'Rows', type: 'table' }, result: { title: 'Result', type: 'any' } },
  checkInTurns: function* ({ query, parameters }) {
    return [...(yield* queryFaults(query, parameters)), ...parameterFaults(parameters)]
  },
  prepare: ({ query, parameters }) => ({
    readFor: statementReader(query),
    parameters: compileTemplateTree(parameters),
    names: new Set(isPlainObject(parameters) ? Object.keys(parameters) : [])
  }),
  acts: ({ query }, isOpen) => isOpen('query') || !ONLY_READS.test(query),
  run: async ({
    inputs,
    fields,
    prepared,
    run,
    signal,
    connection,
    idempotencyKey,
    outputLimit,
    ifTimedOut
  }) => {
    const parameters = fillIn(prepared.parameters, inputs.data, run.variables)
    const valueFor = valuesBy(parameters, idempotencyKey, prepared.names)
    const opened = connection(fields.connection, DATABASE_KINDS)
    const { rows, count, lastId } = await opened.withResource(databaseResource, (database) =>
      database.run({
        source: fields.query,
        statement: prepared.readFor(database.dialect),
        valueFor,
        limits: { maxRows: fields.max_rows, output: outputLimit },
        timeoutMs: fields.statement_timeout_ms,
        signal,
        onCommit: () => ifTimedOut(MAY_BE_COMMITTED)
      })
    )
    return { rows, result: { count, ...(lastId === undefined ? {} : { last_id: lastId }) } }
  }
})

/** Of a thousand nobody reads on. */
const MOST_MISSING = 1_000

function* queryFaults(query: string, parameters: JsonValue): Turns<FieldFault[]> {
  const field = 'query'
  const readings = yield* readEverywhere(query)
  yield
  const fault = statementFault(readings)
  if (fault !== undefined)
    return [{ field, ...placeOf(query, fault.at), code: fault.code, message: fault.message }]
  const variable = VARIABLE.exec(query)
  if (variable !== null) {
    const message = `${variable[0]} cannot stand in a query, since values never do. Write :name, and "name": "${variable[0]}" under Parameters.`
    return [{ field, ...placeOf(query, variable.index), code: 'sql_syntax', message }]
  }
  const known = isPlainObject(parameters) ? parameters : {}
  return parametersIn(readings)
    .filter((name) => name !== IDEMPOTENCY_KEY && !Object.hasOwn(known, name))
    .slice(0, MOST_MISSING)
    .map((name) => ({ field, code: 'sql_parameter_missing', message: `${missingWords(name)}.` }))
}

function parameterFaults(parameters: JsonValue): FieldFault[] {
  const field = 'parameters'
  if (!isPlainObject(parameters))
    return [
      { field, message: 'Write an object: for each :name of the query a template, as in {"id": "{id}"}.' }
    ]
  return templateTreeFaults(parameters).map((fault) => ({ field, ...fault }))
}

/** The statement, read once for each dialect that a step meets. */
function statementReader(query: string): (dialect: Dialect) => SqlStatement {
  const read = new Map<string, SqlStatement>()
  return (dialect) => {
    const known = read.get(dialect.name) ?? readOrFail(query, dialect)
    read.set(dialect.name, known)
    return known
  }
}

function readOrFail(query: string, dialect: Dialect): SqlStatement {
  try {
    return readStatement(query, dialect)
  } catch (error) {
    if (!(error instanceof BadStatement)) throw error
    const { code, message, at } = error.fault
    throw sqlError(code as SqlErrorCode, `The query (${placeWords(query, at)}): ${message}`)
  }
}

function fillIn(
  templates: TemplateTree,
  data: JsonValue | undefined,
  variables: Readonly<Record<string, JsonValue>>
): JsonValue | undefined {
  try {
    return templates.render(isPlainObject(data) ? data : {}, variables)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new StepError(`Parameters: ${error.message}`, { code: error.code, retryable: false, cause: error })
  }
}
