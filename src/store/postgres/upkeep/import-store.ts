import { MillraceError } from '../../../errors.ts'
import type { CopyTarget } from '../../copy/copy-store.ts'
import { type Column, type CopiedRow, type Part, type Position, positionOf } from '../../copy/part.ts'
import { PartDigest } from '../../copy/part-digest.ts'
import type { FileParts } from '../../file-parts.ts'
import { Database, type Query } from '../database/database.ts'
import { migrate, readMigrations } from '../database/migrate.ts'
import { storableText } from '../database/storable-text.ts'
import { asUnopened } from '../database/unavailable.ts'
import { createFileParts } from '../files/postgres-file-parts.ts'
import { JobQueues } from '../queue/job-queues.ts'
import {
  changeJobs,
  flowOfJob,
  fromAllJobs,
  insertJobs,
  seqOfJob,
  sqlBeginsPaused,
  tierOf
} from '../queue/job-rows.ts'
import { sqlDueAt, sqlGiveBack, sqlPark, sqlStateOf } from '../queue/job-states.ts'
import { sqlIsWaiting } from '../runs/waits/wait-rows.ts'
import { beginCopy, finishCopy, forgetCopy } from './copy-progress.ts'

export interface StoreImport extends CopyTarget {
  /** For the bytes of files. */
  readonly fileParts: FileParts
  /** Throws away what an unfinished copy has written; nothing where there is none. */
  restart(): Promise<void>
  close(): Promise<void>
}

const CONNECTIONS = 4
/** Long values are hashed where they are, so these rows are short. */
const CHECK_ROWS = 5_000

/** Opens a database to copy a store into. Its tables are made where they are missing. */
export async function openStoreImport(url: string): Promise<StoreImport> {
  const db = new Database({ url, connections: CONNECTIONS })
  const queues = new JobQueues({ db, upkeep: false, onError: () => {} })
  const close = async () => {
    await queues.stop().catch(() => {})
    await db.close()
  }
  try {
    await migrate(db, readMigrations())
    await queues.start()
  } catch (error) {
    await close()
    throw asUnopened(db.place, error)
  }
  return { ...createTarget(db, queues), close }
}

function createTarget(db: Database, queues: JobQueues): Omit<StoreImport, 'close'> {
  return {
    place: db.place,
    fileParts: createFileParts(db),
    asKept: (row) => row.map((value) => (typeof value === 'string' ? storableText(value) : value)),
    begin: (fingerprint) => db.transaction((query) => beginCopy(query, db.place, fingerprint)),
    write: (part, rows, after) => {
      const write = () => db.transaction((query) => writeRows(query, part, rows, after))
      return part.name === 'open_runs' ? queues.with(flowsOf(part, rows), write) : write()
    },
    async summarise(part, onRows) {
      const digest = new PartDigest(part)
      for (let position: Position = null, done = 0; ; ) {
        const rows = await readRows(db.query, part, position)
        if (rows.length === 0) return digest.summary()
        for (const row of rows) digest.addHashed(row)
        position = positionOf(part, rows.at(-1)!)
        done += rows.length
        onRows(done)
      }
    },
    finish: (lastNumber) => db.transaction((query) => finishCopy(query, lastNumber)),
    restart: () => db.transaction(forgetCopy)
  }
}

/**
 * Whoever holds the row of the part and finds it where they left it writes; a second copy that was begun beside
 * this one finds it elsewhere.
 */
async function writeRows(
  query: Query,
  part: Part,
  rows: readonly CopiedRow[],
  after: Position
): Promise<void> {
  const [progress] = await query<{ position: string | null }>(
    'SELECT position FROM millrace.copying WHERE part = $1 FOR UPDATE',
    [part.name]
  )
  if (progress?.position !== (after === null ? null : JSON.stringify(after))) {
    throw new MillraceError('copy_refused', 'Another copy into this database is under way. Wait for its end.')
  }
  const columns = part.columns.map((_, index) => rows.map((row) => row[index]!))
  if (part.name === 'open_runs') await insertOpenRuns(query, columns)
  else await query(insertOf(part), columns)
  await query('UPDATE millrace.copying SET position = $2, rows = rows + $3 WHERE part = $1', [
    part.name,
    JSON.stringify(positionOf(part, rows.at(-1)!)),
    rows.length
  ])
}

function insertOf(part: Part): string {
  const names = part.columns.map(({ name }) => name).join(', ')
  const arrays = part.columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ')
  const revision = part.name === 'flows' ? { name: ', revision', value: ', 1' } : { name: '', value: '' }
  return `INSERT INTO millrace.${part.name} (${names}${revision.name})
    SELECT ${names}${revision.value} FROM unnest(${arrays}) AS given (${names})`
}

/** A run is open as long as its job exists, and each stands as the operation leaves it that brings a run into its state. */
async function insertOpenRuns(
  query: Query,
  [seqs, flowIds, states, dueAts, isWaiting, beginsPaused, ties]: readonly unknown[][]
): Promise<void> {
  const given = `unnest($1::bigint[], $2::text[], $3::text[], $4::integer[], $5::text[])
    AS given (seq, flow_id, place, begins_paused, tie)`
  const more = {
    isPaused: "place = 'paused'",
    isInLine: "place = 'in line'",
    beginsPaused: 'begins_paused = 1',
    tier: 'tie'
  }
  await query(insertJobs(given, more), [seqs, flowIds, states, beginsPaused, ties])
  const parked = changeJobs({
    set: `${sqlGiveBack}, ${sqlPark('g.due_at', 'g.is_waiting = 1')}`,
    from: 'unnest($1::bigint[], $2::text[], $3::bigint[], $4::integer[]) AS g (seq, flow_id, due_at, is_waiting)',
    seq: 'g.seq',
    flowId: 'g.flow_id',
    where: 'g.due_at IS NOT NULL'
  })
  await query(parked, [seqs, flowIds, dueAts, isWaiting])
}

const openRunsView = `
  SELECT ${seqOfJob()} AS seq, ${flowOfJob()} AS flow_id, ${sqlStateOf('j')} AS state,
    ${sqlDueAt('j')} AS due_at,
    coalesce(${sqlIsWaiting('j', seqOfJob())}, false)::integer AS is_waiting,
    ${sqlBeginsPaused('j')}::integer AS begins_paused,
    ${tierOf()} AS tie
  FROM ${fromAllJobs}`

async function readRows(query: Query, part: Part, after: Position): Promise<CopiedRow[]> {
  const from = part.name === 'open_runs' ? `(${openRunsView})` : `millrace.${part.name}`
  const key = part.key.join(', ')
  const marks = part.key.map((_, index) => `$${index + 1}`).join(', ')
  const where = after === null ? '' : `WHERE (${key}) > (${marks})`
  const rows = await query<Record<string, string | number | null>>(
    `SELECT ${part.columns.map(checkedValue).join(', ')} FROM ${from} AS part ${where} ORDER BY ${key} LIMIT ${CHECK_ROWS}`,
    after ?? []
  )
  return rows.map((row) => part.columns.map(({ name }) => row[name]!))
}

/** A long value as its hash; see part-digest.ts. */
function checkedValue({ name, type, isLong }: Column): string {
  if (!isLong) return name
  const bytes = type === 'bytea' ? name : `convert_to(${name}, 'UTF8')`
  return `encode(sha256(${bytes}), 'hex') AS ${name}`
}

function flowsOf(part: Part, rows: readonly CopiedRow[]): Set<string> {
  const at = part.columns.findIndex(({ name }) => name === 'flow_id')
  return new Set(rows.map((row) => row[at] as string))
}
