import type { Reopening } from '../../../children.ts'
import type { Query } from '../../database/database.ts'
import { TIER } from '../../queue/job-rows.ts'
import { reopenText } from '../reopen-statement.ts'

const given = `
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (place integer, seq bigint, flow_id text, entry text) ORDER BY flow_id, seq
  ),`

/**
 * As a run that is opened again by itself, many in one statement. Each is in line, and its turn may come at once. It has begun before, so it
 * goes on also while its flow is paused.
 */
const reopen = {
  name: 'reopen-children',
  text: reopenText({
    given,
    takenBack: `
      DELETE FROM millrace.outcomes o USING given g
      WHERE o.seq = g.seq AND o.flow_id = g.flow_id AND o.status <> 'succeeded'
      RETURNING g.*`,
    jobs: { tier: `'${TIER.counted}'`, isInLine: 'true', beginsPaused: 'true' },
    entry: 'entry',
    order: 'place',
    told: 'place, '
  })
}

/** The numbers of these changes; null for one that is open, or has succeeded. */
export async function reopenChildRuns(
  query: Query,
  children: readonly Reopening[]
): Promise<(number | null)[]> {
  const numbers: (number | null)[] = children.map(() => null)
  const given = children.map(({ run, entry }, place) => {
    return { place, seq: run.seq, flow_id: run.flowId, entry }
  })
  const rows = await query<{ place: number; no: number }>(reopen, [JSON.stringify(given)])
  for (const { place, no } of rows) numbers[place] = no
  return numbers
}
