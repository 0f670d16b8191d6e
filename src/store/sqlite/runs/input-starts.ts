import type { DatabaseSync } from 'node:sqlite'
import { INPUT_START_BYTES, inputStart, NO_INPUT } from '../../input-start.ts'
import type { FoundRun, RunSummary } from '../../store.ts'
import type { ReadTurns } from './read-turns.ts'

/** The beginning is null where the input is empty, or large. */
type StartRow = [seq: number, bytes: number, start: Uint8Array | null]

/** SQLite reads the whole of a value to give the beginning of it: large ones are read one by one, with pauses. */
const SMALL_INPUT = 16 * 1024

/** Inputs read in one statement. */
const readAtOnce = 64

/** Reads with each run the beginning of its input. */
export function prepareInputStarts(db: DatabaseSync, turns: ReadTurns) {
  const start = `substr(r.input, 1, ${INPUT_START_BYTES})`
  // Its length stands before an input: a large one is not read for this.
  const readSmall = db.prepare(
    `SELECT r.seq, octet_length(r.input), CASE WHEN octet_length(r.input) <= ${SMALL_INPUT} THEN ${start} END
     FROM json_each(?) AS chosen CROSS JOIN runs r ON r.seq = chosen.value`
  )
  const readLarge = db.prepare(`SELECT ${start} FROM runs r WHERE r.seq = ?`)
  for (const statement of [readSmall, readLarge]) statement.setReturnArrays(true)

  async function large(seq: number, pause: () => Promise<void>): Promise<Uint8Array | undefined> {
    await pause()
    return (readLarge.get(seq) as unknown as [Uint8Array] | undefined)?.[0]
  }

  return async (runs: readonly RunSummary[]): Promise<FoundRun[]> => {
    const pause = turns.begin()
    const found: FoundRun[] = []
    for (let at = 0; at < runs.length; at += readAtOnce) {
      await pause()
      const group = runs.slice(at, at + readAtOnce)
      const rows = readSmall.all(JSON.stringify(group.map(({ seq }) => seq))) as unknown as StartRow[]
      const bySeq = new Map(rows.map((row) => [row[0], row]))
      for (const run of group) {
        const [, bytes = 0, small] = bySeq.get(run.seq) ?? []
        const begun = small ?? (bytes > SMALL_INPUT ? await large(run.seq, pause) : undefined)
        const isCut = bytes > INPUT_START_BYTES
        found.push({ ...run, inputStart: begun === undefined ? NO_INPUT : inputStart(begun, isCut) })
      }
    }
    return found
  }
}
