import type { DatabaseSync } from 'node:sqlite'
import { acceptedFields, valuesOfRun } from '../../run-fields.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import type { AcceptParts } from './accept-run.ts'
import { RUN } from './run-row-buffers.ts'

/** Of a test, or of a child that runs what is tried out above it; null for any other run. */
const ofTest = (column: 'document' | 'scope', seq: string) => `(
  SELECT t.${column} FROM runs tested
  CROSS JOIN test_documents t
    ON t.run_seq = coalesce((SELECT c.root_seq FROM children c WHERE c.seq = tested.seq), tested.seq)
  WHERE tested.seq = ${seq} AND tested.is_test = 1)`

export const testDocumentOf = (seq: string) => ofTest('document', seq)

/** By statements of their own: what every other run brings is written without a word about tests. */
export function prepareTests(
  db: DatabaseSync,
  { numbers, open, names, blockTimes, keepFiles }: Omit<AcceptParts, 'rows'>
) {
  const insert = db.prepare(
    `INSERT INTO runs (${RUN.join(', ')}, is_test) VALUES (${RUN.map(() => '?').join(', ')}, 1)`
  )
  const keep = db.prepare('INSERT INTO test_documents (run_seq, document, scope) VALUES (?, ?, ?)')
  const find = db.prepare(`SELECT ${testDocumentOf('?1')} AS document`)
  const findScope = db.prepare(`SELECT ${ofTest('scope', '?1')} AS scope`)

  return {
    /** To be called inside a batch. */
    accept(run: NewRun, document: string, scope: string | undefined): AcceptedRun {
      const { flowId, createdAt } = run
      const seq = numbers.add(1)
      insert.run(...valuesOfRun(seq, names.numberOf(flowId), run))
      keep.run(seq, document, scope ?? null)
      keepFiles(seq, run)
      // It is tried out also while the flow is paused.
      open.accepted(seq, flowId, true)
      blockTimes.note(seq, createdAt)
      return { ...acceptedFields(seq, run), isTest: true }
    },
    document: (seq: number) => (find.get(seq) as { document: string | null }).document ?? undefined,
    scope: (seq: number) => (findScope.get(seq) as { scope: string | null }).scope ?? undefined
  }
}
