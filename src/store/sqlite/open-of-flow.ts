import type { DatabaseSync } from 'node:sqlite'
import type { OpenRun } from '../children.ts'
import type { OpenRuns } from './runs/open-runs.ts'

/** Those that are parked or held are in the table alone, all others in memory. */
export function prepareOpenOf(db: DatabaseSync, open: Pick<OpenRuns, 'waiting'>) {
  const parked = db.prepare(
    `SELECT seq FROM queue WHERE flow_id = ?1 AND due_at IS NOT NULL
     UNION SELECT seq FROM queue WHERE flow_id = ?1 AND held = 1 LIMIT ?2`
  )
  const idOf = db.prepare('SELECT id FROM runs WHERE seq = ?')
  return (flowId: string, limit: number): OpenRun[] => {
    const stored = (parked.all(flowId, limit) as { seq: number }[]).map(({ seq }) => seq)
    const seqs = [...stored, ...open.waiting(flowId, 0, limit - stored.length)]
    return seqs.map((seq) => ({ seq, id: (idOf.get(seq) as { id: string }).id, flowId }))
  }
}
