import type {
  CountedBytes,
  FileStore,
  NamedFiles,
  NewFile,
  StoredBytes,
  StoredFile,
  SweptFiles,
  UnusedFiles
} from '../files.ts'
import type { RunRef } from '../run.ts'
import {
  firstRow,
  type LibraryDatabase,
  type LibrarySteps,
  rows,
  type SqlDialect
} from './library-database.ts'

const FILE_COLUMNS = 'id, digest, filename, content_type, size, context, uploaded_by, created_at, loose_since'

/** Where the answer to a write was lost, it comes again. */
const addText = `
  INSERT INTO files (${FILE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`
/** Bytes that are there keep their name. Their row is taken all the same: whoever sweeps it waits, and then finds the new file. */
const keepBytesText = `
  INSERT INTO blobs (digest, name, size) VALUES (?, ?, ?)
  ON CONFLICT (digest) DO UPDATE SET size = excluded.size`
const useText = 'INSERT INTO file_uses (run_seq, file_id, flow_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
const namedText = 'UPDATE files SET loose_since = NULL WHERE id = ?'
const getText = `
  SELECT f.id, f.digest, b.name, f.filename, f.content_type, f.size, f.context, f.uploaded_by, f.created_at
  FROM files f JOIN blobs b ON b.digest = f.digest WHERE f.id = ?`
const flowsText = 'SELECT DISTINCT flow_id FROM file_uses WHERE file_id = ?'
const bytesText = 'SELECT name, digest, size FROM blobs WHERE name > ? ORDER BY name LIMIT ?'
const countText = `
  SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes, max(name) AS last
  FROM (SELECT name, size FROM blobs WHERE name > ? ORDER BY name LIMIT ?) AS counted`
const unusedOf = (column: 'uploaded_by' | 'context') => `
  SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM files
  WHERE ${column} = ? AND uploaded_by IS NOT NULL AND loose_since IS NOT NULL`
const unusedByKeyText = unusedOf('uploaded_by')
const unusedInContextText = unusedOf('context')
const wasSentText = 'SELECT 1 AS found FROM sent_files WHERE file_id = ? AND run_seq IN (?, ?)'
const rootText = 'SELECT root_seq FROM children WHERE seq = ?'

/** A run as it is written down with its files. */
interface NamingRun extends NamedFiles {
  readonly run: Pick<RunRef, 'seq' | 'flowId'>
  readonly at: number
}

/**
 * Rows of files that runs name, in the transaction that writes the runs. In the same order everywhere, so that no two wait for each
 * other: first files that are there, then bytes by their digest.
 */
export function* keepFiles(dialect: SqlDialect, naming: readonly NamingRun[]): LibrarySteps<void> {
  for (const { run, uses = [] } of naming) if (uses.length > 0) yield* nameThere(dialect, run, uses)
  yield* keepBytes(naming.flatMap(({ files = [] }) => files))
  for (const { run, files = [], at } of naming) {
    for (const file of files) {
      yield* rows(addText, ...fileValues(file, at, null))
      yield* rows(useText, run.seq, file.id, run.flowId)
    }
  }
}

function* nameThere(dialect: SqlDialect, run: NamingRun['run'], ids: readonly string[]): LibrarySteps<void> {
  const thereText = `SELECT id, loose_since FROM files WHERE ${dialect.isListed('id')} ORDER BY id${dialect.forKeyShare}`
  const there = yield* rows<{ id: string; loose_since: number | null }>(thereText, JSON.stringify(ids))
  for (const { id, loose_since } of there) {
    yield* rows(useText, run.seq, id, run.flowId)
    // Not each time: whoever names the same file would wait for the other.
    if (loose_since !== null) yield* rows(namedText, id)
  }
}

function* keepBytes(files: readonly NewFile[]): LibrarySteps<void> {
  const sorted = files.toSorted((one, other) => (one.digest < other.digest ? -1 : 1))
  for (const { digest, name, size } of sorted) yield* rows(keepBytesText, digest, name, size)
}

/** Written once for both databases; what runs bring is written with them, by `keepFiles`. */
export function createFileStore(db: LibraryDatabase): FileStore {
  const { dialect } = db
  const { isListed, forUpdate, forUpdateOfFree } = dialect
  const thereText = `SELECT seq FROM runs WHERE seq = ?${dialect.forKeyShare}`
  const usedText = `SELECT DISTINCT file_id FROM file_uses WHERE run_seq IN (?, ?) AND ${isListed('file_id')}`
  const familyText = `
    SELECT DISTINCT u.file_id FROM file_uses u JOIN children c ON c.seq = u.run_seq
    WHERE c.root_seq = ? AND ${isListed('u.file_id')}`
  const noteSentText = `
    INSERT INTO sent_files (run_seq, file_id) SELECT ?, id FROM files WHERE ${isListed('id')} ON CONFLICT DO NOTHING`
  const knownText = `SELECT name FROM blobs WHERE ${isListed('name')}`
  const looseText = `SELECT id FROM files WHERE loose_since < ? ORDER BY loose_since LIMIT ?${forUpdateOfFree}`
  const unusedText = `
    DELETE FROM files WHERE ${isListed('id')}
      AND NOT EXISTS (SELECT 1 FROM file_uses u WHERE u.file_id = files.id)
    RETURNING digest`
  const notLooseText = `UPDATE files SET loose_since = NULL WHERE ${isListed('id')}`
  const holdText = `SELECT digest FROM blobs WHERE ${isListed('digest')} ORDER BY digest${forUpdate}`
  const unnamedText = `
    DELETE FROM blobs WHERE ${isListed('digest')}
      AND NOT EXISTS (SELECT 1 FROM files f WHERE f.digest = blobs.digest)
    RETURNING name`

  function* add(file: NewFile, createdAt: number): LibrarySteps<void> {
    yield* keepBytes([file])
    yield* rows(addText, ...fileValues(file, createdAt, createdAt))
  }

  function* get(id: string): LibrarySteps<StoredFile | undefined> {
    const row = yield* firstRow<FileRow>(getText, id)
    return row && storedFile(row)
  }

  /** Mostly it is the run itself, or the one above all others: only then are all of the family asked. */
  function* usedIn(runSeq: number, ids: readonly string[]): LibrarySteps<string[]> {
    const root = yield* rootOf(runSeq)
    const own = fileIds(yield* rows<UseRow>(usedText, runSeq, root, JSON.stringify(ids)))
    const left = ids.filter((id) => !own.includes(id))
    if (left.length === 0) return own
    return [...own, ...fileIds(yield* rows<UseRow>(familyText, root, JSON.stringify(left)))]
  }

  /** Of one that was deleted meanwhile nothing would ever be deleted again. */
  function* use(naming: NamingRun): LibrarySteps<void> {
    if ((yield* firstRow(thereText, naming.run.seq)) !== undefined) yield* keepFiles(dialect, [naming])
  }

  /** Of the run itself too, which may outlive the one above it. */
  function* noteSent(runSeq: number, ids: readonly string[]): LibrarySteps<void> {
    if ((yield* firstRow(thereText, runSeq)) === undefined) return
    for (const seq of new Set([yield* rootOf(runSeq), runSeq]))
      yield* rows(noteSentText, seq, JSON.stringify(ids))
  }

  function* wasSent(runSeq: number, id: string): LibrarySteps<boolean> {
    return (yield* firstRow(wasSentText, id, yield* rootOf(runSeq), runSeq)) !== undefined
  }

  /**
   * Each statement sees what was committed before it, and rows that are held do not change: a run that named a file, or brought the
   * same bytes, before its row was held is found here, and one that comes later finds no row and writes its own.
   */
  function* sweep(storedBefore: number, slice: number): LibrarySteps<SweptFiles> {
    const loose = yield* rows<{ id: string }>(looseText, storedBefore, slice)
    if (loose.length === 0) return { files: 0, names: [] }
    const ids = JSON.stringify(loose.map(({ id }) => id))
    const gone = yield* rows<{ digest: string }>(unusedText, ids)
    yield* rows(notLooseText, ids)
    const digests = JSON.stringify([...new Set(gone.map(({ digest }) => digest))])
    yield* rows(holdText, digests)
    const unnamed = yield* rows<{ name: string }>(unnamedText, digests)
    return { files: loose.length, names: unnamed.map(({ name }) => name) }
  }

  return {
    add: (file, createdAt) => db.writeUnheld(() => add(file, createdAt)),
    use: (run, named, at) => db.writeUnheld(() => use({ run, ...named, at })),
    get: (id) => db.read(() => get(id)),
    usedIn: (runSeq, ids) => db.read(() => usedIn(runSeq, ids)),
    noteSent: (runSeq, ids) => db.writeUnheld(() => noteSent(runSeq, ids)),
    wasSent: (runSeq, id) => db.read(() => wasSent(runSeq, id)),
    flowsOf: async (id) =>
      (await db.read(() => rows<{ flow_id: string }>(flowsText, id))).map(({ flow_id }) => flow_id),
    knownNames: async (names) => {
      const found = await db.read(() => rows<{ name: string }>(knownText, JSON.stringify(names)))
      return found.map(({ name }) => name)
    },
    bytesAfter: async (name, limit) =>
      (await db.read(() => rows<StoredBytes>(bytesText, name, limit))).map((row) => ({ ...row })),
    countBytes: async (name, limit) =>
      countedBytes((await db.read(() => firstRow<CountedBytes>(countText, name, limit)))!),
    unused: async (of) => {
      const [text, value] =
        'context' in of ? [unusedInContextText, of.context] : [unusedByKeyText, of.uploadedBy]
      const { files, bytes } = (await db.read(() => firstRow<UnusedFiles>(text, value)))!
      return { files: Number(files), bytes: Number(bytes) }
    },
    sweep: (storedBefore, slice) => db.writeUnheld(() => sweep(storedBefore, slice))
  }
}

/** The run above all others of its family: mostly the run itself. */
function* rootOf(runSeq: number): LibrarySteps<number> {
  return (yield* firstRow<{ root_seq: number }>(rootText, runSeq))?.root_seq ?? runSeq
}

/** PostgreSQL gives sums as text. */
function countedBytes({ count, bytes, last }: CountedBytes): CountedBytes {
  return { count: Number(count), bytes: Number(bytes), last }
}

interface UseRow {
  readonly file_id: string
}

function fileIds(found: readonly UseRow[]): string[] {
  return found.map(({ file_id }) => file_id)
}

/** A row of files with the name of its bytes, in either database. */
interface FileRow {
  readonly id: string
  readonly digest: string
  readonly name: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
  readonly context: string
  readonly uploaded_by: string | null
  readonly created_at: number
}

function storedFile(row: FileRow): StoredFile {
  const { id, digest, name, filename, size, context } = row
  const { content_type: contentType, uploaded_by: uploadedBy, created_at: createdAt } = row
  return { id, digest, name, filename, contentType, size, context, uploadedBy, createdAt }
}

/** In the order of the columns. */
function fileValues(file: NewFile, at: number, looseSince: number | null): (string | number | null)[] {
  const { id, digest, filename, contentType, size, context, uploadedBy } = file
  return [id, digest, filename, contentType, size, context, uploadedBy, at, looseSince]
}
