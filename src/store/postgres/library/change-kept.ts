import {
  type ChangeOrigin,
  changed,
  type KeptChange,
  type KeptResult,
  type KeptStore,
  type KeptValue,
  madeBefore,
  toRemember
} from '../../kept-values.ts'
import { type KeptRow, keptColumns, keptValue, unexpired } from '../../rows/kept-row.ts'
import type { Database, Prepared } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import type { Timing } from '../database/timing.ts'
import { TurnsByKey } from '../database/turns-by-key.ts'

/** What is kept, which version of its row that is, and whether the step has made the change before. */
const standingText = `
  SELECT k.context, k.key, k.value, k.updated_at, k.expires_at, k.xmin::text AS version,
    m.run_seq IS NOT NULL AS "isMade", m.result
  FROM (SELECT 1) AS one
  LEFT JOIN millrace.kept_values k ON k.context = $1 AND k.key = $2
  LEFT JOIN millrace.kept_changes m ON m.run_seq = $3 AND m.node = $4 AND m.change = $5`

type Standing = { readonly isMade: boolean; readonly result: string | null } & (
  | (KeptRow & { readonly version: string })
  | { readonly version: null }
)

/** The change and the note of it are one statement: whoever stands still in the middle of it holds nothing. */
const noting = (
  made: string,
  origin: readonly [runSeq: string, node: string, change: string, result: string]
) => `
  WITH made AS (${made} RETURNING 1),
  noted AS (
    INSERT INTO millrace.kept_changes (run_seq, node, change, result)
    SELECT ${origin[0]}::bigint, ${origin[1]}::text, ${origin[2]}::text, ${origin[3]}::text FROM made
    WHERE ${origin[0]}::bigint IS NOT NULL
  )
  SELECT 1 FROM made`

/** In milliseconds. What takes less to be stored is not made up for. */
const SLOW_MS = 1_000

/**
 * A time counts from when the value is stored: by then it could be over. To what was waited here, in milliseconds, comes what the
 * statement itself has waited in the database; null where the end of the time was set before and stays.
 */
const expiry = (expiresAt: string, waited: string) => {
  const inAll = `${waited}::bigint + floor(extract(epoch FROM clock_timestamp() - now()) * 1000)::bigint`
  return `${expiresAt}::bigint + CASE WHEN ${inAll} >= ${SLOW_MS} THEN ${inAll} ELSE 0 END`
}

const put = {
  name: 'put-kept',
  text: noting(
    `UPDATE millrace.kept_values SET value = $3, updated_at = $4, expires_at = ${expiry('$5', '$6')}
     WHERE context = $1 AND key = $2 AND xmin::text = $7`,
    ['$8', '$9', '$10', '$11']
  )
}

const add = {
  name: 'add-kept',
  text: noting(
    `INSERT INTO millrace.kept_values (context, key, value, updated_at, expires_at)
     VALUES ($1, $2, $3, $4, ${expiry('$5', '$6')}) ON CONFLICT (context, key) DO NOTHING`,
    ['$7', '$8', '$9', '$10']
  )
}

const remove = {
  name: 'remove-kept',
  text: noting('DELETE FROM millrace.kept_values WHERE context = $1 AND key = $2 AND xmin::text = $3', [
    '$4',
    '$5',
    '$6',
    '$7'
  ])
}

const noteText = 'INSERT INTO millrace.kept_changes (run_seq, node, change, result) VALUES ($1, $2, $3, $4)'
const note = { name: 'note-kept', text: noteText }

const UNIQUE = '23505'

type KeptDatabase = Pick<Database, 'writeTold'>

export function changeValues(
  db: KeptDatabase,
  { stopwatch }: Pick<Timing, 'stopwatch'>
): KeptStore['change'] {
  // Of those here only one at a time is to find that somebody was quicker, or waits on a connection.
  const turns = new TurnsByKey()
  return (change, origin) => {
    const since = stopwatch()
    const asked = { change, origin, waited: () => Math.floor(stopwatch() - since) }
    return turns.do(`${change.context}\n${change.key}`, () => changeKept(db, asked))
  }
}

interface Asked {
  readonly change: KeptChange
  readonly origin: ChangeOrigin | undefined
  /** For how long, in milliseconds. */
  readonly waited: () => number
}

/**
 * The value is read, what becomes of it is worked out, and written unless somebody was quicker: then again. Each time somebody
 * has come further. Rejected: to hold the row meanwhile. A process that was frozen there held up every run that keeps
 * under the same key, and soon all the others, which found no connection left.
 */
async function changeKept(db: KeptDatabase, asked: Asked): Promise<KeptResult> {
  for (;;) {
    const result = await attempt(db, asked)
    if (result !== undefined) return result
  }
}

/** Undefined where somebody was quicker. */
async function attempt(
  { writeTold }: KeptDatabase,
  { change, origin, waited }: Asked
): Promise<KeptResult | undefined> {
  const place = [change.context, storableText(change.key)] as const
  const step = [origin?.runSeq ?? null, origin?.node ?? null, origin && storableText(origin.change)] as const
  const [standing] = await writeTold<Standing>({ name: 'kept-standing', text: standingText }, [
    ...place,
    ...step
  ])
  const { version, isMade, result: remembered } = standing!
  if (isMade) return madeBefore(change, remembered)
  const before = version === null ? undefined : unexpired(keptValue(standing as KeptRow), change.at)
  const { kept, ...result } = changed(before, change)
  if (!result.won) return result
  const noted = [...step, storableOrNull(toRemember(change, result.value))]
  const isTimeNew = change.kind === 'set' || before === undefined
  const writing = { place, version, noted, waited: isTimeNew ? waited() : null }
  const isFirst = await writes(writeTold, statementFor(kept, writing))
  return isFirst ? result : undefined
}

interface Writing {
  readonly place: readonly [context: string, key: string]
  readonly version: string | null
  readonly noted: readonly unknown[]
  /** Null where the time of the value goes on. */
  readonly waited: number | null
}

function statementFor(
  kept: KeptValue | undefined,
  { place, version, noted, waited }: Writing
): readonly [Prepared, readonly unknown[]] | undefined {
  if (kept === undefined) {
    if (version !== null) return [remove, [...place, version, ...noted]]
    return noted[0] === null ? undefined : [note, noted]
  }
  const columns = keptColumns(kept).map((value) => (typeof value === 'string' ? storableText(value) : value))
  return version === null
    ? [add, [...columns, waited, ...noted]]
    : [put, [...columns, waited, version, ...noted]]
}

async function writes(
  writeTold: Database['writeTold'],
  statement: ReturnType<typeof statementFor>
): Promise<boolean> {
  if (statement === undefined) return true
  try {
    const rows = await writeTold(...statement)
    return rows.length > 0 || statement[0] === note
  } catch (error) {
    // Another attempt at the same step has made the same change a moment ago.
    if ((error as { code?: unknown }).code === UNIQUE) return false
    throw error
  }
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text)
}
