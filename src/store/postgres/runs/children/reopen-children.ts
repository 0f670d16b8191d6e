import type { Reopening } from '../../../children.ts'
import type { Query } from '../../database/database.ts'
import { storableText } from '../../database/storable-text.ts'
import { TIER } from '../../queue/job-rows.ts'
import { reopenText, sqlIsForgotten } from '../reopen-statement.ts'

const given = `
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (place integer, seq bigint, flow_id text, entry text, called_anew text[])
    ORDER BY flow_id, seq
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
    forgets: sqlIsForgotten(
      'EXISTS (SELECT 1 FROM given g WHERE g.seq = w.run_seq AND w.node = ANY(g.called_anew))'
    ),
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
  const given = children.map(({ run, entry, calledAnew }, place) => {
    return { place, seq: run.seq, flow_id: run.flowId, entry, called_anew: calledAnew?.map(storableText) }
  })
  const rows = await query<{ place: number; no: number }>(reopen, [JSON.stringify(given)])
  for (const { place, no } of rows) numbers[place] = no
  return numbers
}
