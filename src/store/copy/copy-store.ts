import { MillraceError } from '../../errors.ts'
import { type CopiedRow, type Position, positionOf } from './part.ts'
import { PartDigest, type PartSummary } from './part-digest.ts'
import { type CopiedPart, copiedParts, type PartName } from './parts.ts'

/** A store that is read as a whole while nobody writes to it. */
export interface CopySource {
  /** Where it is, for messages. */
  readonly place: string
  /** Tells this store in this state from any other, so that a copy goes on only where it began. */
  readonly fingerprint: string
  /** The newest number of a change: the new store goes on after it. */
  readonly lastNumber: number
  count(part: CopiedPart): number
  /** The next rows, as many as are worth a batch; none at the end. */
  read(part: CopiedPart, after: Position): CopiedRow[]
}

/** A store that takes a copy. A copy that is not finished keeps everybody else from using it. */
export interface CopyTarget {
  readonly place: string
  /** Rows as they will read there: PostgreSQL's text cannot hold every character. */
  asKept(row: CopiedRow): CopiedRow
  /** Resolves to where each part has got to. Rejects with `copy_refused` where there is anything else. */
  begin(fingerprint: string): Promise<ReadonlyMap<PartName, PartProgress>>
  /** Writes rows and how far the part has got by them, in one transaction. */
  write(part: CopiedPart, rows: readonly CopiedRow[], after: Position): Promise<void>
  summarise(part: CopiedPart, onRows: (rows: number) => void): Promise<PartSummary>
  /** The copy is whole: the store may be used, and numbers its changes on from here. */
  finish(lastNumber: number): Promise<void>
}

export interface PartProgress {
  readonly position: Position
  readonly rows: number
}

export interface CopyStep {
  readonly doing: 'copying' | 'checking'
  readonly part: PartName | 'file bytes'
  readonly done: number
  readonly total: number
}

interface CopyOptions {
  readonly source: CopySource
  readonly target: CopyTarget
  readonly onProgress: (step: CopyStep) => void
  /** Copies what is no row, when all rows are there and before anybody may use the new store. It may be called again. */
  readonly besides?: () => Promise<void>
  /** Stops the copy between two batches; it can go on later. */
  readonly signal?: AbortSignal
}

export interface CopyReport {
  readonly parts: ReadonlyMap<PartName, PartSummary>
  /** Rows that were there already when this copy went on. */
  readonly found: number
}

/**
 * Copies batch by batch and goes on where an earlier copy stopped, however it stopped: what is written and how far
 * the copy has got are one transaction. At the end both stores are read through and compared, and only then may
 * anybody use the new one.
 */
export async function copyStore(options: CopyOptions): Promise<CopyReport> {
  const { source, target } = options
  const progress = await target.begin(source.fingerprint)
  const parts = new Map<PartName, PartSummary>()
  let found = 0
  for (const part of copiedParts) {
    found += progress.get(part.name)!.rows
    await copyPart(part, progress.get(part.name)!, options)
  }
  for (const part of copiedParts) parts.set(part.name, await checkPart(part, options))
  await options.besides?.()
  await target.finish(source.lastNumber)
  return { parts, found }
}

async function copyPart(part: CopiedPart, begun: PartProgress, options: CopyOptions): Promise<void> {
  const { source, target, onProgress, signal } = options
  const total = source.count(part)
  let { position, rows: done } = begun
  const tell = () => onProgress({ doing: 'copying', part: part.name, done, total })
  tell()
  for (;;) {
    signal?.throwIfAborted()
    const rows = source.read(part, position)
    if (rows.length === 0) return
    await target.write(part, rows.map(target.asKept), position)
    position = positionOf(part, rows.at(-1)!)
    done += rows.length
    tell()
  }
}

async function checkPart(part: CopiedPart, options: CopyOptions): Promise<PartSummary> {
  const { source, target, onProgress, signal } = options
  const total = source.count(part)
  const tell = (done: number) => {
    signal?.throwIfAborted()
    onProgress({ doing: 'checking', part: part.name, done, total })
  }
  const copied = await target.summarise(part, tell)
  const original = summaryOf(part, options)
  if (copied.rows === original.rows && copied.checksum === original.checksum) return copied
  throw new MillraceError(
    'copy_refused',
    `The copy of ${part.name} differs: ${source.place} has ${told(original)}, ${target.place} has ${told(copied)}. ` +
      'Something else has written to the database. Start over with: millrace migrate-store --restart'
  )
}

function summaryOf(part: CopiedPart, { source, target, signal }: CopyOptions): PartSummary {
  const digest = new PartDigest(part)
  for (let position: Position = null; ; ) {
    signal?.throwIfAborted()
    const rows = source.read(part, position)
    if (rows.length === 0) return digest.summary()
    for (const row of rows) digest.add(target.asKept(row))
    position = positionOf(part, rows.at(-1)!)
  }
}

function told({ rows, checksum }: PartSummary): string {
  return `${rows} rows with checksum ${checksum.slice(0, 12)}`
}
