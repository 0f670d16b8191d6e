import type { DatabaseSync } from 'node:sqlite'
import type { Failure, RunStore } from '../../store.ts'
import { flowIdOf } from '../file/interned-names.ts'

export function prepareFailures(db: DatabaseSync): Pick<RunStore, 'failures' | 'lastFailureBefore'> {
  const after = db.prepare(
    `SELECT o.no, r.id AS runId, ${flowIdOf('o')} FROM outcomes o JOIN runs r ON r.seq = o.seq
     WHERE o.status = 'failed' AND o.is_child IS NULL AND o.no > ? ORDER BY o.no LIMIT ?`
  )
  const before = db.prepare(
    `SELECT no FROM outcomes WHERE status = 'failed' AND is_child IS NULL AND finished_at < ? ORDER BY no DESC LIMIT 1`
  )
  return {
    async failures(no, limit) {
      const rows = after.all(no, limit) as unknown as (Omit<Failure, 'flowId'> & { flow_id: string })[]
      return rows.map(({ no, runId, flow_id }) => ({ no, runId, flowId: flow_id }))
    },
    lastFailureBefore: async (at) => (before.get(at) as { no: number } | undefined)?.no ?? 0
  }
}
