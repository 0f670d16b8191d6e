import type { DatabaseSync } from 'node:sqlite'
import type { OpenRun } from '../children.ts'
import type { OpenRuns } from './runs/open-runs.ts'
import { IS_STORED_ALONE } from './runs/queue-rows.ts'

/** Those that are not queued are in the table alone, all others in memory. */
export function prepareOpenOf(db: DatabaseSync, open: Pick<OpenRuns, 'queued'>) {
  const inTable = db.prepare(`SELECT seq FROM queue WHERE flow_id = ? AND ${IS_STORED_ALONE} LIMIT ?`)
  const idOf = db.prepare('SELECT id FROM runs WHERE seq = ?')
  return (flowId: string, limit: number): OpenRun[] => {
    const stored = (inTable.all(flowId, limit) as { seq: number }[]).map(({ seq }) => seq)
    const seqs = [...stored, ...open.queued(flowId, 0, limit - stored.length)]
    return seqs.map((seq) => ({ seq, id: (idOf.get(seq) as { id: string }).id, flowId }))
  }
}
