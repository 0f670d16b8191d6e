import { MillraceError } from '../../../errors.ts'
import type { PartProgress } from '../../copy/copy-store.ts'
import { copiedParts, type PartName } from '../../copy/parts.ts'
import type { Query } from '../database/database.ts'
import { jobsTable, removeAllJobs } from '../queue/job-rows.ts'

/**
 * How far a copy into this database has got. The table is there exactly as long as a copy is unfinished, and while
 * it is there no process may serve from this database: see `refuseUnfinishedCopy`.
 */
const createCopying = `
  CREATE TABLE millrace.copying (
    part        text PRIMARY KEY,
    position    text,
    rows        bigint NOT NULL DEFAULT 0,
    fingerprint text NOT NULL
  )`

/** Held while a copy begins: of two that begin together one finds the table of the other. */
const COPY_LOCK = 5_570_193_308_531_130_003n

const copiedTables = copiedParts.map(({ name }) => name).filter((name) => name !== 'open_runs')

export async function beginCopy(
  query: Query,
  place: string,
  fingerprint: string
): Promise<Map<PartName, PartProgress>> {
  await query('SELECT pg_advisory_xact_lock($1)', [COPY_LOCK])
  await refuseRunning(query, place)
  if (!(await isUnfinished(query))) {
    await refuseOtherData(query, place)
    await query(createCopying)
    await query('INSERT INTO millrace.copying (part, fingerprint) SELECT unnest($1::text[]), $2', [
      copiedParts.map(({ name }) => name),
      fingerprint
    ])
  }
  return readProgress(query, place, fingerprint)
}

async function readProgress(
  query: Query,
  place: string,
  fingerprint: string
): Promise<Map<PartName, PartProgress>> {
  const rows = await query<{ part: PartName; position: string | null; rows: number; fingerprint: string }>(
    'SELECT part, position, rows, fingerprint FROM millrace.copying'
  )
  if (rows.some((row) => row.fingerprint !== fingerprint)) {
    throw refused(
      `The database at ${place} holds an unfinished copy of another store, or of this one before it was used again. ` +
        'Throw that copy away and start over with: millrace migrate-store --restart'
    )
  }
  return new Map(
    rows.map(({ part, position, rows }) => [
      part,
      { position: position === null ? null : JSON.parse(position), rows }
    ])
  )
}

/** Numbers go on after the last one of the old store, so whoever follows events by number misses none. */
export async function finishCopy(query: Query, lastNumber: number): Promise<void> {
  await query("SELECT setval('millrace.changes', $1)", [lastNumber])
  await query('UPDATE millrace.revisions SET value = 1')
  // Not new: nobody is to put the example flow into it.
  await query('UPDATE millrace.installation SET opened_on = coalesce(opened_on, now())')
  await query('DROP TABLE millrace.copying')
  // Or for the first minutes every question would be planned for tables that are still empty.
  await query(`ANALYZE ${[...copiedTables.map((name) => `millrace.${name}`), jobsTable].join(', ')}`)
}

/** Empties what an unfinished copy has filled; a database without one is left as it is. */
export async function forgetCopy(query: Query): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1)', [COPY_LOCK])
  if (!(await isUnfinished(query))) return
  await query(`TRUNCATE ${[...copiedTables, 'file_parts'].map((name) => `millrace.${name}`).join(', ')}`)
  await query(removeAllJobs)
  await query('DROP TABLE millrace.copying')
}

/** To be asked by whoever wants to serve from this database. */
export async function refuseUnfinishedCopy(query: Query, place: string): Promise<void> {
  if (!(await isUnfinished(query))) return
  throw refused(
    `The database at ${place} holds an unfinished copy of a store. Finish it with millrace migrate-store, or use ` +
      'another database.'
  )
}

export async function isUnfinished(query: Query): Promise<boolean> {
  const [found] = await query<{ isThere: boolean }>(
    `SELECT to_regclass('millrace.copying') IS NOT NULL AS "isThere"`
  )
  return found!.isThere
}

async function refuseOtherData(query: Query, place: string): Promise<void> {
  const looks = copiedTables.map((name) => `EXISTS (SELECT 1 FROM millrace.${name}) AS ${name}`).join(', ')
  const [row] = await query<Record<string, boolean>>(`SELECT ${looks}`)
  const found = copiedTables.filter((name) => row![name]).map((name) => name.replaceAll('_', ' '))
  if (found.length === 0) return
  throw refused(
    `The database at ${place} is in use already: it holds ${found.join(', ')}. Two stores cannot be merged. If this ` +
      'store was copied there before, there is nothing left to do; else give an empty database.'
  )
}

async function refuseRunning(query: Query, place: string): Promise<void> {
  const rows = await query<{ role: string; host: string; pid: number }>(
    "SELECT role, host, pid FROM millrace.processes WHERE seen_at > now() - interval '30 seconds'"
  )
  if (rows.length === 0) return
  const told = rows.map(({ role, host, pid }) => `${role}, process ${pid} on ${host}`).join('; ')
  throw refused(`Millrace is running on the database at ${place} (${told}). Stop it first.`)
}

function refused(message: string): MillraceError {
  return new MillraceError('copy_refused', message)
}
