import { malformedAnswer, reachError, StepError } from '../../plugin-api.ts'

/** Every error of the component, by its code: whether a repeat can help, and what to do besides. */
const ERRORS = {
  sql_syntax: { retryable: false, advice: 'Correct the query.' },
  sql_several_statements: { retryable: false, advice: '' },
  sql_statement_refused: { retryable: false, advice: '' },
  sql_empty: { retryable: false, advice: '' },
  sql_parameter_missing: { retryable: false, advice: '' },
  sql_unknown_table: {
    retryable: false,
    advice: 'Correct its name, create it, or choose the connection of the database that has it.'
  },
  sql_unknown_column: { retryable: false, advice: 'Correct its name.' },
  sql_duplicate_key: {
    retryable: false,
    advice: 'Choose another value, or let the query say what is to happen (ON CONFLICT, ON DUPLICATE KEY).'
  },
  sql_constraint: { retryable: false, advice: 'Send values that the table allows.' },
  sql_bad_value: {
    retryable: false,
    advice: 'Check the values of the parameters, and cast where types differ.'
  },
  sql_read_only: {
    retryable: false,
    advice: 'Use a connection that may write, or turn off read_only in this one.'
  },
  sql_denied: { retryable: false, advice: 'Grant it to the user of the connection.' },
  sql_timeout: {
    retryable: false,
    advice: 'Make the query faster, with an index for example, or raise the Statement timeout of the node.'
  },
  sql_too_many_columns: { retryable: false, advice: '' },
  sql_too_many_rows: { retryable: false, advice: '' },
  sql_deadlock: {
    retryable: true,
    advice: 'Nothing was written; trying again may help (retry of the node).'
  },
  sql_conflict: {
    retryable: true,
    advice: 'Nothing was written; trying again may help (retry of the node).'
  },
  sql_locked: {
    retryable: true,
    advice: 'Somebody else holds it; nothing was written, and trying again may help (retry of the node).'
  },
  sql_too_many_connections: {
    retryable: true,
    advice: 'Raise what the server allows, or try again (retry of the node).'
  },
  sql_sign_in_refused: { retryable: false, advice: 'Correct the user and the password of the connection.' },
  sql_unknown_database: { retryable: false, advice: 'Correct the database of the connection, or create it.' },
  sql_file_unusable: { retryable: false, advice: 'Correct the file of the connection.' },
  sql_connection_lost: {
    retryable: true,
    advice:
      'Nothing was written: the transaction was not committed. Trying again may help (retry of the node).'
  },
  sql_commit_unknown: {
    retryable: false,
    advice:
      'Look in the database before you repeat it. A query that writes :idempotency_key into a unique column can safely be repeated.'
  },
  sql_failed: { retryable: false, advice: '' }
} as const

export type SqlErrorCode = keyof typeof ERRORS

export function sqlError(code: SqlErrorCode, message: string, cause?: unknown): StepError {
  const { retryable, advice } = ERRORS[code]
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  const words = advice === '' ? sentence : `${sentence} ${advice}`
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
