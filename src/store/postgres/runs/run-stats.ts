import { InTurn } from '../../in-turn.ts'
import { type ModelUsage, NO_USAGE } from '../../model-usage.ts'
import type { RunStats, StatsQuestion } from '../../stats.ts'
import type { Query } from '../database/database.ts'
import { readUsage } from './model-usage.ts'

interface SpanRow {
  readonly span: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly open: number
  readonly p50: number | null
  readonly p99: number | null
}

const NONE: RunStats = {
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  open: 0,
  p50: null,
  p99: null,
  usage: NO_USAGE
}

/** Runs that were not started have no duration; percentile_disc passes over nulls and takes the nearest rank. */
const percentile = (part: number) =>
  `percentile_disc(${part}) WITHIN GROUP (ORDER BY o.finished_at - o.started_at)`

function statsText(whose: string): string {
  return `
    SELECT (r.created_at - $1) / $2 AS span,
      count(*) FILTER (WHERE o.status = 'succeeded') AS succeeded,
      count(*) FILTER (WHERE o.status = 'failed') AS failed,
      count(*) FILTER (WHERE o.status = 'cancelled') AS cancelled,
      count(*) FILTER (WHERE o.status IS NULL) AS open,
      ${percentile(0.5)} AS p50,
      ${percentile(0.99)} AS p99
    FROM millrace.runs r LEFT JOIN millrace.outcomes o ON o.seq = r.seq
    WHERE r.is_test IS NULL AND r.is_child IS NULL AND r.created_at >= $1 AND r.created_at < $1 + $2 * $3 ${whose}
    GROUP BY 1`
}

const ofAll = statsText('')
const ofFlows = statsText('AND r.flow_id = ANY ($4::text[])')

/** One question after the other: ten that are asked together take no more of the database than one. */
export function createStats(query: Query): (question: StatsQuestion) => Promise<RunStats[]> {
  const inTurn = new InTurn()

  async function count(question: StatsQuestion): Promise<RunStats[]> {
    const { from, width, spans, flowIds } = question
    const values: unknown[] = [from, width, spans]
    const rows = await (flowIds === undefined
      ? query<SpanRow>(ofAll, values)
      : query<SpanRow>(ofFlows, [...values, flowIds]))
    const stats = Array.from({ length: spans }, () => NONE)
    for (const { span, ...told } of rows) stats[span] = { ...told, usage: NO_USAGE }
    // Also where only children ran, which are not counted.
    for (const [span, usage] of await usageBySpan(question)) stats[span] = { ...stats[span]!, usage }
    return stats
  }

  async function usageBySpan(question: StatsQuestion): Promise<Map<number, ModelUsage[]>> {
    const usages = new Map<number, ModelUsage[]>()
    for (const { span, ...usage } of await readUsage(query, question)) {
      usages.set(span, [...(usages.get(span) ?? []), usage])
    }
    return usages
  }

  return (question) => inTurn.do(() => count(question))
}
