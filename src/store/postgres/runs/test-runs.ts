import type { AcceptedRun, NewRun } from '../../store.ts'
import type { Database, Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { changeJobs, sqlHasten } from '../queue/job-rows.ts'
import { acceptRuns } from './accept-runs.ts'
import { keepFilesOf } from './file-rows.ts'

/** Taken up before other runs of its flow: somebody sits there and waits for it. */
const hasten = changeJobs({ set: sqlHasten, seq: '$1::bigint', flowId: '$2::text' })

/** Accepted as any other, and marked in the same transaction: what every other run brings says nothing about tests. */
export function acceptTest(
  db: Pick<Database, 'writeTransaction'>,
  run: NewRun,
  document: string,
  scope?: string
): Promise<AcceptedRun> {
  return db.writeTransaction(async (query) => {
    const [accepted] = await acceptRuns({ write: query }, [run])
    const { seq, flowId } = accepted!
    await query('UPDATE millrace.runs SET is_test = 1 WHERE seq = $1', [seq])
    const keep = 'INSERT INTO millrace.test_documents (run_seq, document, scope) VALUES ($1, $2, $3)'
    await query(keep, [seq, storableText(document), scope === undefined ? null : storableText(scope)])
    await query(hasten, [seq, flowId])
    await keepFilesOf(query, [run], [{ seq }])
    return { ...accepted!, isTest: true }
  })
}

/** Of a test, or of a child that runs what is tried out above it; null for any other run. */
const sqlOfTest = (column: 'document' | 'scope', seq: string) => `(
  SELECT t.${column} FROM millrace.runs tested JOIN millrace.test_documents t
    ON t.run_seq = coalesce((SELECT c.root_seq FROM millrace.children c WHERE c.seq = tested.seq), tested.seq)
  WHERE tested.seq = ${seq} AND tested.is_test = 1)`

export const sqlTestDocumentOf = (seq: string) => sqlOfTest('document', seq)

export async function testDocument(query: Query, seq: number): Promise<string | undefined> {
  const text = `SELECT ${sqlTestDocumentOf('$1')} AS document`
  return (await query<{ document: string | null }>(text, [seq]))[0]?.document ?? undefined
}

export async function testScope(query: Query, seq: number): Promise<string | undefined> {
  const text = `SELECT ${sqlOfTest('scope', '$1')} AS scope`
  return (await query<{ scope: string | null }>(text, [seq]))[0]?.scope ?? undefined
}
