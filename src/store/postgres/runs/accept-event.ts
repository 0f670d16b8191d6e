import { advanceMarkText } from '../../library/trigger-store.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import type { TriggerEvent } from '../../triggers.ts'
import type { Database } from '../database/database.ts'
import { numbered } from '../library/postgres-library.ts'
import { acceptPausedRuns, acceptRuns } from './accept-runs.ts'
import { keepFilesOf } from './file-rows.ts'

const advance = { name: 'advance-trigger', text: numbered(advanceMarkText) }

/** Accepts a run unless its trigger has got as far already: both or neither. */
export function acceptEvent(
  db: Pick<Database, 'writeTransaction'>,
  run: NewRun,
  { node, mark }: TriggerEvent
): Promise<AcceptedRun | undefined> {
  return db.writeTransaction(async (query) => {
    const advanced = await query(advance, [run.flowId, node, mark])
    if (advanced.length === 0) return undefined
    const accept = run.whilePaused === 'hold' ? acceptPausedRuns : acceptRuns
    const accepted = await accept({ write: query }, [run])
    await keepFilesOf(query, [run], accepted)
    return accepted[0]
  })
}
