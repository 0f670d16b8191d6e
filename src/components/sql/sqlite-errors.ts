import type { StepError } from '../../plugin-api.ts'
import { type SqlErrorCode, sqlError } from './sql-errors.ts'

const BUSY = 5
const CONSTRAINT = 19
const AUTH = 23
const CANT_OPEN = 14
const NOT_A_DATABASE = 26

const BY_CODE: Readonly<Record<number, SqlErrorCode>> = {
  [BUSY]: 'sql_locked',
  6: 'sql_locked',
  8: 'sql_read_only',
  [CONSTRAINT]: 'sql_constraint',
  20: 'sql_bad_value'
}
/** SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_ROWID. */
const DUPLICATES: readonly number[] = [1555, 2067, 2579]
const BY_WORDS: readonly (readonly [RegExp, SqlErrorCode])[] = [
  [/^no such table/, 'sql_unknown_table'],
  [/^no such column|has no column named/, 'sql_unknown_column'],
  [/syntax error|incomplete input|unrecognized token/, 'sql_syntax'],
  [/^no such function|wrong number of arguments/, 'sql_syntax']
]

export function sqliteError(
  { errcode, message }: { readonly errcode: number; readonly message: string },
  file: string
): StepError {
  const kind = errcode & 0xff
  if (kind === AUTH || /not authorized|authorization denied/.test(message))
    return sqlError(
      'sql_denied',
      `A step may not do this in ${file}: ATTACH, DETACH, PRAGMA and temporary tables are refused`
    )
  if (kind === CANT_OPEN || kind === NOT_A_DATABASE)
    return sqlError('sql_file_unusable', `${file} cannot be opened as an SQLite database: ${message}`)
  const words = kind === 1 ? BY_WORDS.find(([pattern]) => pattern.test(message))?.[1] : undefined
  const code = DUPLICATES.includes(errcode) ? 'sql_duplicate_key' : (words ?? BY_CODE[kind] ?? 'sql_failed')
  return sqlError(code, `SQLite says: ${message}`)
}
