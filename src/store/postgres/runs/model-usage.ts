import { MOST_MODELS, type ModelUsage, OTHER_MODELS } from '../../model-usage.ts'
import type { StatsQuestion } from '../../stats.ts'
import type { Query } from '../database/database.ts'

/**
 * A part of the statement that ends runs, for batches that have some. A run that was opened again ends with what its
 * earlier steps used too: it takes the place of what was kept then.
 */
export const keepUsage = `,
  used AS (
    INSERT INTO millrace.model_usage (run_seq, model, input_tokens, cached_tokens, output_tokens)
    SELECT n.seq, u.model, u.input, u.cached, u.output
    FROM numbered n, json_to_recordset(n.usage) AS u (model text, input bigint, cached bigint, output bigint)
    ON CONFLICT (run_seq, model) DO UPDATE SET input_tokens = excluded.input_tokens,
      cached_tokens = excluded.cached_tokens, output_tokens = excluded.output_tokens
  )`

/** Of the runs that were accepted in one span. */
interface SpanUsage extends ModelUsage {
  readonly span: number
}

function usageText(whose: string): string {
  return `
    WITH used AS MATERIALIZED (
      SELECT (r.created_at - $1) / $2 AS span, u.model, sum(u.input_tokens) AS input,
        sum(u.cached_tokens) AS cached, sum(u.output_tokens) AS output
      FROM millrace.model_usage u JOIN millrace.runs r ON r.seq = u.run_seq
      WHERE r.is_test IS NULL AND r.created_at >= $1 AND r.created_at < $1 + $2 * $3 ${whose}
      GROUP BY 1, 2
    ),
    named AS (
      SELECT model FROM used GROUP BY model ORDER BY sum(input + output) DESC, model LIMIT ${MOST_MODELS}
    )
    SELECT span, CASE WHEN model IN (SELECT n.model FROM named n) THEN model ELSE '${OTHER_MODELS}' END AS model,
      sum(input)::bigint AS input, sum(cached)::bigint AS cached, sum(output)::bigint AS output
    FROM used GROUP BY 1, 2 ORDER BY 1, 2`
}

const ofAll = usageText('')
const ofFlows = usageText('AND r.flow_id = ANY ($4::text[])')

export function readUsage(
  query: Query,
  { from, width, spans, flowIds }: StatsQuestion
): Promise<readonly SpanUsage[]> {
  const values = [from, width, spans]
  return flowIds === undefined
    ? query<SpanUsage>(ofAll, values)
    : query<SpanUsage>(ofFlows, [...values, flowIds])
}
