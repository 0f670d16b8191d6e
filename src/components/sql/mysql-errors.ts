import { boundedWords, type StepError } from '../../plugin-api.ts'
import { networkError, noEncryption, type SqlErrorCode, sqlError } from './sql-errors.ts'

/** What the server says; `errno` is absent where it is the driver that speaks. */
interface ServerError {
  readonly errno: number
  readonly sqlMessage: string
}

const CODES: readonly (readonly [SqlErrorCode, readonly number[]])[] = [
  ['sql_syntax', [1064, 1149, 1210, 1235, 1295, 1305]],
  ['sql_unknown_table', [1146, 1051, 1109]],
  ['sql_unknown_column', [1054]],
  ['sql_duplicate_key', [1062, 1586]],
  ['sql_constraint', [1048, 1216, 1217, 1364, 1451, 1452, 3819, 4025]],
  ['sql_bad_value', [1264, 1265, 1292, 1366, 1367, 1406, 1411, 1690]],
  ['sql_read_only', [1792, 1290, 1836]],
  ['sql_denied', [1142, 1143, 1227, 1370, 1419]],
  ['sql_timeout', [1317, 1969, 3024]],
  ['sql_deadlock', [1213]],
  ['sql_conflict', [1020, 3101]],
  ['sql_locked', [1205, 3572]],
  ['sql_too_many_connections', [1040, 1203, 1226]],
  ['sql_sign_in_refused', [1044, 1045, 1130, 1251, 1698, 3118]],
  ['sql_unknown_database', [1049]]
]
const BY_NUMBER = new Map(
  CODES.flatMap(([code, numbers]) => numbers.map((number) => [number, code] as const))
)

/** The server stops, or somebody ended the session. */
const ENDS: readonly number[] = [
  1053, 1077, 1078, 1079, 1080, 1081, 1152, 1154, 1155, 1156, 1157, 1158, 1159, 1160, 1161, 1184, 1927, 3169,
  4031
]

export function mySqlError(error: unknown, server: string): StepError {
  const early = networkError(error, server)
  if (early !== undefined) return early
  if (!isAnswer(error)) return lost(error, server)
  const code = BY_NUMBER.get(error.errno) ?? 'sql_failed'
  return sqlError(code, `The database says: ${boundedWords(error.sqlMessage)}`, error)
}

/** Whether the server said so itself, on a session that goes on. */
export function isAnswer(error: unknown): error is ServerError {
  const { errno, sqlMessage } = Object(error) as Partial<ServerError>
  return typeof errno === 'number' && typeof sqlMessage === 'string' && !ENDS.includes(errno)
}

function lost(error: unknown, server: string): StepError {
  const { message = '', code } = Object(error) as { message?: string; code?: string }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return noEncryption(server, error)
  return sqlError(
    'sql_connection_lost',
    `The connection to ${server} was lost: ${boundedWords(message)}`,
    error
  )
}
