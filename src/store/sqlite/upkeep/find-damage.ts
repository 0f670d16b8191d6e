import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../../errors.ts'
import { isDamage } from '../file/unwritable.ts'

const MB = 1024 * 1024

/**
 * SQLite reads every page for this, at 1 ms per megabyte where the file is in memory (measured with 17, 138 and 554 MB: 39,
 * 380 and 1,015 ms on a busy machine), and at the speed of the disk where it is not. A start may take that long after a crash, and
 * must not take minutes: of a larger file only what nothing goes without is looked at, and `doctor` looks at all of it.
 */
const ALWAYS_UP_TO = 32 * MB
const AFTER_A_CRASH_UP_TO = 512 * MB

const ESSENTIAL = ['meta', 'flows', 'flow_versions', 'contexts', 'keys', 'session_secret', 'names', 'queue']

/** What is wrong with the pages of a database, as far as it is worth a look; undefined where nothing was found. */
export function findDamage(db: DatabaseSync, file: string, isAfterCrash: boolean): string | undefined {
  const { size } = statSync(file)
  if (size <= (isAfterCrash ? AFTER_A_CRASH_UP_TO : ALWAYS_UP_TO)) return checked(db, '1')
  if (!isAfterCrash) return undefined
  for (const table of ESSENTIAL) {
    const found = checked(db, table)
    if (found !== undefined) return found
  }
  return undefined
}

function checked(db: DatabaseSync, what: string): string | undefined {
  try {
    const [row] = db.prepare(`PRAGMA quick_check(${what})`).all() as unknown as { quick_check: string }[]
    return row?.quick_check === 'ok' ? undefined : inOneLine(row?.quick_check ?? 'it cannot be checked')
  } catch (error) {
    if (isDamage(error)) return messageOf(error)
    throw error
  }
}

function inOneLine(found: string): string {
  return found.replace(/^\*\*\* in database main \*\*\*\s*/, '').replaceAll('\n', '; ')
}
