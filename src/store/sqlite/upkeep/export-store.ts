import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { MillraceError } from '../../../errors.ts'
import type { CopySource } from '../../copy/copy-store.ts'
import { type CopiedRow, type Position, positionOf, type Value } from '../../copy/part.ts'
import { type CopiedPart, copiedParts, type PartName } from '../../copy/parts.ts'
import { databasePath, prepareDatabaseFile } from '../file/database-file.ts'
import { type FolderLock, lockFolder } from '../file/folder-lock.ts'
import { flowIdOf } from '../file/interned-names.ts'
import { migrate, readMigrations } from '../file/migrate.ts'
import { openDatabase } from '../file/open-database.ts'
import { finishReleases } from '../file/releases.ts'
import { storeUnwritable } from '../file/unwritable.ts'

export interface StoreExport extends CopySource {
  close(): void
}

const BATCH_ROWS = 1_000
/** Payloads may be a megabyte each. */
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Parts that are not as they are in their tables. A message belongs to the end that printed it; one of an earlier attempt, whose end
 * was taken back, to the run's last end, or to its being opened again.
 */
const views: Partial<Record<PartName, string>> = {
  runs: `SELECT r.*, ${flowIdOf('r')} FROM runs r`,
  children: `
    SELECT c.seq, c.parent_seq, (SELECT name FROM names WHERE no = c.node) AS node, c.child_index, c.depth, c.is_awaited,
      c.root_seq, (SELECT name FROM names WHERE no = c.parent_flow) AS parent_flow_id, c.parent_id,
      iif(EXISTS (SELECT 1 FROM runs p WHERE p.seq = c.parent_seq), NULL, 1) AS parent_gone, c.on_its_own
    FROM children c`,
  waits: `SELECT w.*, ${flowIdOf('w')} FROM waits w`,
  journal: `SELECT j.*, ${flowIdOf('j')} FROM journal j`,
  outcomes: `
    SELECT o.seq, o.no, ${flowIdOf('o')}, o.status, o.started_at, o.finished_at, o.error, o.steps, o.is_child,
      (SELECT name FROM names WHERE names.no = o.nodes) AS nodes
    FROM outcomes o`,
  messages: `
    SELECT m.run_seq, m.id,
      coalesce(o.no, (SELECT min(j.no) FROM journal j WHERE j.run_seq = m.run_seq), m.run_seq) AS no,
      (SELECT count(*) FROM messages e WHERE e.run_seq = m.run_seq AND e.no < m.no) AS place,
      ${flowIdOf('m')}, m.session, m.created_at, m.sender, m.text, m.long, m.rating
    FROM messages m LEFT JOIN outcomes o ON o.seq = m.run_seq`,
  session_notes: `
    SELECT n.flow_id, n.session, n.title, n.summary, n.run_id,
      (SELECT coalesce(o.no, (SELECT min(j.no) FROM journal j WHERE j.run_seq = m.run_seq), m.run_seq)
       FROM messages m LEFT JOIN outcomes o ON o.seq = m.run_seq WHERE m.no = n.up_to_no) AS up_to_no,
      (SELECT (SELECT count(*) FROM messages e WHERE e.run_seq = m.run_seq AND e.no < m.no)
       FROM messages m WHERE m.no = n.up_to_no) AS up_to_place
    FROM session_notes n`,
  open_runs: `
    SELECT r.seq, ${flowIdOf('r')}, coalesce(q.state, 'queued') AS state, q.due_at, coalesce(q.is_waiting, 0) AS is_waiting,
      q.begins_paused,
      CASE WHEN q.awaited_by IS NOT NULL THEN 'counted' WHEN q.detached_from IS NOT NULL THEN 'child'
        WHEN EXISTS (SELECT 1 FROM waits w WHERE w.run_seq = r.seq)
          OR EXISTS (SELECT 1 FROM children c WHERE c.parent_seq = r.seq) THEN 'tied' END AS tie
    FROM runs r LEFT JOIN queue q ON q.seq = r.seq
    WHERE NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.seq = r.seq)`
}

/** Their changes are numbered, or counted. What no number tells of is small, and part of the fingerprint as it is. */
const numberedParts: readonly PartName[] = [
  'runs',
  'test_documents',
  'children',
  'journal',
  'outcomes',
  'messages',
  'model_usage',
  'long_values',
  'deliveries'
]

/**
 * Opens the embedded store to be copied. Nobody else can use its folder meanwhile. Rejects with `store_locked`,
 * `store_too_new`, `store_unwritable`, or `config_invalid` where there is none.
 */
export function openStoreExport(folder: string): StoreExport {
  if (!existsSync(databasePath(folder))) {
    throw new MillraceError(
      'config_invalid',
      `There is no store in ${folder}. Set MILLRACE_HOME to the folder of the embedded store.`
    )
  }
  let lock: FolderLock | undefined
  let db: DatabaseSync | undefined
  try {
    lock = lockFolder(folder)
    prepareDatabaseFile(folder)
    db = openDatabase(databasePath(folder))
    migrate(db, readMigrations(), folder)
    finishReleases(db)
    return assemble(db, lock, folder)
  } catch (error) {
    db?.close()
    lock?.release()
    throw error instanceof MillraceError ? error : storeUnwritable(folder, error)
  }
}

function assemble(db: DatabaseSync, lock: FolderLock, folder: string): StoreExport {
  const readers = new Map(copiedParts.map((part) => [part.name, prepareRead(db, part)]))
  const read = (part: CopiedPart, after: Position) => readers.get(part.name)!(after)
  const numberOf = prepareMeta(db)
  const count = (part: Pick<CopiedPart, 'name'>) => {
    const from = views[part.name] === undefined ? part.name : `(${views[part.name]})`
    return (db.prepare(`SELECT count(*) AS rows FROM ${from}`).get() as { rows: number }).rows
  }
  return {
    place: folder,
    // Old deliveries are forgotten without a number.
    fingerprint: fingerprintOf(read, [
      numberOf('last_number'),
      numberOf('ended_runs'),
      count({ name: 'deliveries' }),
      // A piece is written without one too.
      count({ name: 'long_values' })
    ]),
    lastNumber: numberOf('last_number'),
    count,
    read,
    close() {
      if (!db.isOpen) return
      db.close()
      lock.release()
    }
  }
}

function prepareMeta(db: DatabaseSync) {
  const meta = db.prepare('SELECT value FROM meta WHERE name = ?')
  return (name: 'last_number' | 'ended_runs') => (meta.get(name) as { value: number }).value
}

/** By key from a place on. The first column of a key is compared by itself too, for SQLite to use an index. */
function prepareRead(db: DatabaseSync, part: CopiedPart): (after: Position) => CopiedRow[] {
  const [first] = part.key
  const key = part.key.join(', ')
  const marks = part.key.map(() => '?').join(', ')
  const rows = `SELECT ${part.columns.map(({ name }) => name).join(', ')} FROM (${views[part.name] ?? `SELECT * FROM ${part.name}`})`
  const order = `ORDER BY ${key} LIMIT ${BATCH_ROWS}`
  const fromStart = db.prepare(`${rows} ${order}`)
  const onwards = db.prepare(`${rows} WHERE ${first} >= ? AND (${key}) > (${marks}) ${order}`)
  for (const statement of [fromStart, onwards]) statement.setReturnArrays(true)
  return (after) => (after === null ? takeBatch(fromStart, []) : takeBatch(onwards, [after[0]!, ...after]))
}

function takeBatch(statement: StatementSync, values: (string | number)[]): CopiedRow[] {
  const batch: CopiedRow[] = []
  let bytes = 0
  for (const row of statement.iterate(...values) as Iterable<unknown> as Iterable<Value[]>) {
    batch.push(row)
    for (const value of row) if (value !== null && typeof value !== 'number') bytes += value.length
    if (bytes > BATCH_BYTES) break
  }
  return batch
}

function fingerprintOf(
  read: (part: CopiedPart, after: Position) => CopiedRow[],
  counters: readonly number[]
): string {
  const hash = createHash('sha256').update(JSON.stringify(counters))
  for (const part of copiedParts) {
    if (numberedParts.includes(part.name)) continue
    for (const row of readAll(part, read)) hash.update(JSON.stringify(row))
  }
  return hash.digest('hex')
}

function* readAll(
  part: CopiedPart,
  read: (part: CopiedPart, after: Position) => CopiedRow[]
): Generator<CopiedRow> {
  let position: Position = null
  for (;;) {
    const rows = read(part, position)
    if (rows.length === 0) return
    yield* rows
    position = positionOf(part, rows.at(-1)!)
  }
}
