import type { RateBuckets } from '../../shared-store.ts'
import type { Database } from './database.ts'

/** A bucket that fills evenly. All in one statement, whose lock on the row lets one process at a time take from it. */
const takeText = `
  INSERT INTO millrace.rate_buckets AS b (flow_id, level, granted, filled_at)
  VALUES ($1, $2::double precision - least($3::integer, $2), least($3::integer, $2), now())
  ON CONFLICT (flow_id) DO UPDATE SET (level, granted, filled_at) = (
    SELECT f.level - least($3::integer, floor(f.level)), least($3::integer, floor(f.level)), greatest(b.filled_at, now())
    FROM (SELECT least($2::double precision,
      b.level + greatest(0, extract(epoch FROM now() - b.filled_at)) * $2 / 60) AS level) f
  )
  RETURNING level, granted`

export function createRateBuckets(db: Database): RateBuckets {
  return {
    async take(flowId, perMinute, wanted) {
      const [row] = await db.query<{ level: number; granted: number }>(
        { name: 'take-rate', text: takeText },
        [flowId, perMinute, wanted]
      )
      return row!
    }
  }
}
