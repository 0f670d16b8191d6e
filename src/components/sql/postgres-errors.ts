import { boundedWords, type StepError } from '../../plugin-api.ts'
import {
  networkError,
  noAnswer,
  noEncryption,
  placeWords,
  type SqlErrorCode,
  sqlError
} from './sql-errors.ts'

/** What PostgreSQL says, as far as it matters here. */
interface ServerError {
  readonly code: string
  readonly message: string
  readonly severity?: string
  readonly position?: string
  readonly detail?: string
}

const BY_STATE: Readonly<Record<string, SqlErrorCode>> = {
  '42601': 'sql_syntax',
  '42P01': 'sql_unknown_table',
  '3F000': 'sql_unknown_table',
  '42703': 'sql_unknown_column',
  '23505': 'sql_duplicate_key',
  '25006': 'sql_read_only',
  '42501': 'sql_denied',
  '57014': 'sql_timeout',
  '40P01': 'sql_deadlock',
  '40001': 'sql_conflict',
  '55P03': 'sql_locked',
  '53300': 'sql_too_many_connections',
  '3D000': 'sql_unknown_database'
}
const BY_CLASS: Readonly<Record<string, SqlErrorCode>> = {
  '22': 'sql_bad_value',
  '23': 'sql_constraint',
  '28': 'sql_sign_in_refused',
  '42': 'sql_syntax',
  '40': 'sql_conflict'
}

interface Told {
  readonly server: string
  /** The query as somebody wrote it, and where in it a place of the text that the server got lies. */
  readonly query?: { readonly source: string; placeInQuery(at: number): number }
}

export function postgresError(error: unknown, { server, query }: Told): StepError {
  const early = networkError(error, server)
  if (early !== undefined) return early
  if (!isAnswer(error)) return lost(error, server)
  const code = BY_STATE[error.code] ?? BY_CLASS[error.code.slice(0, 2)] ?? 'sql_failed'
  const place =
    query === undefined || error.position === undefined
      ? ''
      : ` (${placeWords(query.source, query.placeInQuery(Number(error.position) - 1))})`
  const detail = error.detail === undefined ? '' : ` ${boundedWords(error.detail)}`
  const said = boundedWords(error.message)
  return sqlError(code, `PostgreSQL says${place}: ${said}.${detail}${hintFor(error)}`, error)
}

/** Where a parameter may be of any type, the server does not choose one. */
function hintFor({ code }: ServerError): string {
  return code === '42P18' || code === '42P08' || code === '42725'
    ? ' Say of which type the parameter is, as in :name::text.'
    : ''
}

/** Whether the server said so itself, on a session that goes on. */
export function isAnswer(error: unknown): error is ServerError {
  const { code, severity } = Object(error) as Partial<ServerError>
  const isOfServer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && severity !== undefined
  // It stops, or somebody ended the session.
  return isOfServer && !code.startsWith('08') && !code.startsWith('57P') && code !== '25P03'
}

/** Types that do not go together: a text where a number was said to come, for example. */
export function isTypeMismatch(error: unknown): boolean {
  return isAnswer(error) && ['42883', '42804', '42846', '42P08', '42725'].includes(error.code)
}

function lost(error: unknown, server: string): StepError {
  const { message: said = '' } = Object(error) as { message?: string }
  const message = boundedWords(said)
  if (/SSL|TLS/.test(message)) return noEncryption(server, error)
  // The server asks for a password, and there is none, or it does not prove that it knows it.
  if (/^SASL/.test(message))
    return sqlError('sql_sign_in_refused', `${server} and the password do not go together: ${message}`, error)
  if (/timeout expired/.test(message)) return noAnswer(server, error)
  return sqlError('sql_connection_lost', `The connection to ${server} was lost: ${message}`, error)
}
