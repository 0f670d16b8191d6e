import type { Failure } from '../../store.ts'
import type { Query } from '../database/database.ts'
import { settledNumber } from './change-numbers.ts'

const afterText = `
  SELECT o.no, r.id AS "runId", o.flow_id AS "flowId" FROM millrace.outcomes o JOIN millrace.runs r ON r.seq = o.seq
  WHERE o.status = 'failed' AND o.is_child IS NULL AND o.no > $1 AND o.no <= $2 ORDER BY o.no LIMIT $3`

export async function readFailures(query: Query, after: number, limit: number): Promise<Failure[]> {
  const settled = await settledNumber(query)
  return query<Failure>({ name: 'failures', text: afterText }, [after, settled, limit])
}

const beforeText = `
  SELECT no FROM millrace.outcomes WHERE status = 'failed' AND is_child IS NULL AND finished_at < $1 ORDER BY no DESC LIMIT 1`

export async function lastFailureBefore(query: Query, at: number): Promise<number> {
  return (await query<{ no: number }>(beforeText, [at]))[0]?.no ?? 0
}
