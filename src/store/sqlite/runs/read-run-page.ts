import type { DatabaseSync } from 'node:sqlite'
import { type RunValues, runOfValues } from '../../run-fields.ts'
import type { PageLimit, QueuedPage } from '../../store.ts'
import { RUN } from './run-row-buffers.ts'
import { parentColumn, parentOf } from './run-rows.ts'

/** The run, with its body where that is small, and then what is known of it besides. */
type PageRow = [
  ...run: RunValues<number, string | null>,
  bytes: number,
  isTest: number | null,
  parent: string | null
]
const BODY = RUN.indexOf('input')
const [BYTES, IS_TEST, PARENT] = [RUN.length, RUN.length + 1, RUN.length + 2] as const

/** Larger bodies are read one by one, once it is known that there is room for them. */
const SMALL_BODY = 16 * 1024

/**
 * Reads runs to be executed, with their journals: those that are named and nothing between them. Between two that have
 * been open for long, and follow each other, there may be all runs of a year.
 */
export function prepareReadPage(db: DatabaseSync) {
  // Bodies as text, which they are read as: an array for the bytes of each costs 3 µs, most of it as garbage.
  // One statement for a page of runs: one by one they cost 17 µs each.
  const body = `CASE WHEN octet_length(r.input) <= ${SMALL_BODY} THEN CAST(r.input AS TEXT) END`
  const ofRun = RUN.map((name) => (name === 'input' ? body : `r.${name}`))
  const columns = `${ofRun.join(', ')}, octet_length(r.input), r.is_test, ${parentColumn}`
  const readNamed = db.prepare(
    `SELECT ${columns} FROM json_each(?) j CROSS JOIN runs r ON r.seq = j.value ORDER BY j.key`
  )
  const readConsecutive = db.prepare(
    `SELECT ${columns} FROM runs r WHERE r.seq BETWEEN ? AND ? ORDER BY r.seq`
  )
  const readBody = db.prepare('SELECT CAST(input AS TEXT) FROM runs WHERE seq = ?')
  // Named columns cost more to read than the row does.
  for (const statement of [readNamed, readConsecutive, readBody]) statement.setReturnArrays(true)
  const journals = prepareJournals(db)

  return (flowId: string, seqs: readonly number[], limit: PageLimit): QueuedPage => {
    const rows = (areConsecutive(seqs)
      ? readConsecutive.all(seqs[0]!, seqs.at(-1)!)
      : readNamed.all(JSON.stringify(seqs))) as unknown as PageRow[]
    const sizes = journals.sizes(rows.map(([seq]) => seq))
    const kept = fitting(rows, limit.bytes, (row) => Number(row[BYTES]) + (sizes.get(row[0]) ?? 0))
    const entries = journals.read(kept.map(([seq]) => seq).filter((seq) => sizes.has(seq)))
    const runs = kept.map((row) => {
      const [seq] = row
      const input = (row[BODY] as string | null) ?? (readBody.get(seq) as unknown as [string])[0]
      const plain = runOfValues(row, { flowId, input, journal: entries.get(seq) ?? [] })
      const [isTest, parent] = [row[IS_TEST], row[PARENT]] as [number | null, string | null]
      if (isTest === null && parent === null) return plain
      return {
        ...plain,
        ...(isTest === 1 && { isTest: true as const }),
        ...(parent !== null && { parent: parentOf(parent) })
      }
    })
    return { runs, isLast: seqs.length < limit.runs && kept.length === rows.length }
  }
}

/** In ascending order with none left out, as those of a flood are. */
function areConsecutive(seqs: readonly number[]): boolean {
  for (let at = 1; at < seqs.length; at++) if (seqs[at] !== seqs[at - 1]! + 1) return false
  return seqs.length > 0
}

/** As many of the first ones as have room together, and one at least. */
function fitting<T>(all: readonly T[], room: number, sizeOf: (each: T) => number): readonly T[] {
  let left = room
  const end = all.findIndex((each, index) => {
    left -= sizeOf(each)
    return index > 0 && left < 0
  })
  return end < 0 ? all : all.slice(0, end)
}

interface EntryRow {
  readonly run_seq: number
  readonly entry: string
}

function prepareJournals(db: DatabaseSync) {
  const some = db.prepare('SELECT 1 FROM journal WHERE run_seq BETWEEN ? AND ? LIMIT 1')
  // The length of an entry stands before it: nothing large is read for this.
  const measure = db.prepare(
    `SELECT e.run_seq, sum(octet_length(e.entry)) AS bytes
     FROM json_each(?) j CROSS JOIN journal e ON e.run_seq = j.value GROUP BY e.run_seq`
  )
  const read = db.prepare(
    `SELECT e.run_seq, e.entry FROM json_each(?) j CROSS JOIN journal e ON e.run_seq = j.value
     ORDER BY e.run_seq, e.no`
  )
  return {
    /** Of those that have one. A flood has none, and one look into the index tells. */
    sizes(seqs: readonly number[]): ReadonlyMap<number, number> {
      if (seqs.length === 0 || some.get(Math.min(...seqs), Math.max(...seqs)) === undefined) return NONE
      const rows = measure.all(JSON.stringify(seqs)) as { run_seq: number; bytes: number }[]
      return new Map(rows.map(({ run_seq, bytes }) => [run_seq, bytes]))
    },

    read(seqs: readonly number[]): ReadonlyMap<number, readonly string[]> {
      const entries = new Map<number, string[]>()
      if (seqs.length === 0) return entries
      for (const { run_seq, entry } of read.all(JSON.stringify(seqs)) as unknown as EntryRow[]) {
        const journal = entries.get(run_seq)
        if (journal === undefined) entries.set(run_seq, [entry])
        else journal.push(entry)
      }
      return entries
    }
  }
}

const NONE: ReadonlyMap<number, number> = new Map()
