import { malformedAnswer, reachError, StepError } from '../../plugin-api.ts'

const AGAIN = 'trying again may help (retry of the node).'

/** Every error of the component, by its code: what to do besides. */
const ADVICE = {
  sql_syntax: 'Correct the query.',
  sql_several_statements: '',
  sql_statement_refused: '',
  sql_empty: '',
  sql_parameter_missing: '',
  sql_unknown_table: 'Correct its name, create it, or choose the connection of the database that has it.',
  sql_unknown_column: 'Correct its name.',
  sql_duplicate_key:
    'Choose another value, or let the query say what is to happen (ON CONFLICT, ON DUPLICATE KEY).',
  sql_constraint: 'Send values that the table allows.',
  sql_bad_value: 'Check the values of the parameters, and cast where types differ.',
  sql_read_only: 'Use a connection that may write, or turn off read_only in this one.',
  sql_denied: 'Grant it to the user of the connection.',
  sql_timeout:
    'Make the query faster, with an index for example, or raise the Statement timeout of the node.',
  sql_too_many_columns: '',
  sql_too_many_rows: '',
  sql_deadlock: `Nothing was written; ${AGAIN}`,
  sql_conflict: `Nothing was written; ${AGAIN}`,
  sql_locked: `Somebody else holds it; nothing was written, and ${AGAIN}`,
  sql_too_many_connections: 'Raise what the server allows, or try again (retry of the node).',
  sql_sign_in_refused: 'Correct the user and the password of the connection.',
  sql_unknown_database: 'Correct the database of the connection, or create it.',
  sql_file_unusable: 'Correct the file of the connection.',
  sql_connection_lost:
    'Nothing was written: the transaction was not committed. Trying again may help (retry of the node).',
  sql_commit_unknown:
    'Look in the database before you repeat it. A query that writes :idempotency_key into a unique column can be repeated without a doubt.',
  sql_failed: ''
} as const

export type SqlErrorCode = keyof typeof ADVICE

/** Those that a repeat can mend. */
const RETRYABLE = new Set<SqlErrorCode>([
  'sql_deadlock',
  'sql_conflict',
  'sql_locked',
  'sql_too_many_connections',
  'sql_connection_lost'
])

export function sqlError(code: SqlErrorCode, message: string, cause?: unknown): StepError {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  const words = `${sentence} ${ADVICE[code]}`.trimEnd()
  const retryable = RETRYABLE.has(code)
  return new StepError(words, { code, retryable, ...(cause === undefined ? {} : { cause }) })
}

/** The transaction may have been committed or not, and only the database can tell. */
export function commitUnknown(message: string, cause?: unknown): StepError {
  return sqlError('sql_commit_unknown', message, cause)
}

/** "line 2, column 8" of an offset in the query. */
export function placeWords(query: string, at: number): string {
  const { line, column } = placeOf(query, at)
  return line === 1 ? `column ${column}` : `line ${line}, column ${column}`
}

export function placeOf(query: string, at: number): { readonly line: number; readonly column: number } {
  const before = query.slice(0, at)
  const line = before.split('\n').length
  return { line, column: at - before.lastIndexOf('\n') }
}

/** Errors on the way to a server, before it says anything that can be read; undefined for others. */
export function networkError(error: unknown, server: string): StepError | undefined {
  const told = reachError(error, server)
  if (told === error || told.code === 'upstream_unreachable') return told
  // Of the driver, which was not made for such an answer: it tells some of them as errors of the connection.
  if (error instanceof TypeError || error instanceof RangeError) return malformedAnswer(error, server)
  if (!/^certificate_|^tls_/.test(told.code)) return undefined
  const { code, message } = told
  const advice = 'The certificate of an authority of your own goes into the setting "ca" of the connection.'
  return new StepError(`${message} ${advice}`, { code, retryable: false, cause: error })
}

export function noEncryption(server: string, cause: unknown): StepError {
  const message = `${server} takes no encrypted connection. Set it up there, or turn off ssl in the connection.`
  return new StepError(message, { code: 'tls_failed', retryable: false, cause })
}

export function noAnswer(server: string, cause: unknown): StepError {
  return networkError(Object.assign(new Error(), { code: 'ETIMEDOUT', cause }), server)!
}
