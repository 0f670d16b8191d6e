import { storedTrigger, type TriggerRow } from '../../rows/trigger-row.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import { LEASE_MS, type TriggerEvent, type TriggerOwners, type TriggerStore } from '../../triggers.ts'
import type { Database, Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { acceptHeldRuns, acceptRuns } from '../runs/accept-runs.ts'

const isAhead = 'WHERE t.mark IS NULL OR t.mark < excluded.mark'

const keepMark = `
  INSERT INTO millrace.triggers AS t (flow_id, node, mark) VALUES ($1, $2, $3)
  ON CONFLICT (flow_id, node) DO UPDATE SET mark = excluded.mark`

export function createTriggerStore(query: Query): TriggerStore {
  return {
    async list(flowId) {
      const where = flowId === undefined ? '' : 'WHERE flow_id = $1'
      const rows = await query<TriggerRow>(
        `SELECT * FROM millrace.triggers ${where} ORDER BY flow_id COLLATE "C", node COLLATE "C"`,
        flowId === undefined ? [] : [flowId]
      )
      return rows.map(storedTrigger)
    },
    async setMark(flowId, node, mark) {
      await query(keepMark, [flowId, node, mark])
    },
    async advanceMark(flowId, node, mark) {
      await query(`${keepMark} ${isAhead}`, [flowId, node, mark])
    },
    async setFault(flowId, node, fault) {
      await query(
        `INSERT INTO millrace.triggers (flow_id, node, fault, failed_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (flow_id, node) DO UPDATE SET fault = excluded.fault, failed_at = excluded.failed_at`,
        [flowId, node, fault === null ? null : storableText(fault.message), fault?.at ?? null]
      )
    }
  }
}

/** The row decides between processes: the second one waits for the first, and finds that the mark has moved. */
const advanceText = `${keepMark} ${isAhead} RETURNING mark`

/** Accepts a run unless its trigger has got as far already: both or neither. */
export function acceptEvent(
  db: Pick<Database, 'writeTransaction'>,
  run: NewRun,
  { node, mark }: TriggerEvent
): Promise<AcceptedRun | undefined> {
  return db.writeTransaction(async (query) => {
    const advanced = await query({ name: 'advance-trigger', text: advanceText }, [run.flowId, node, mark])
    if (advanced.length === 0) return undefined
    const accept = run.whilePaused === 'hold' ? acceptHeldRuns : acceptRuns
    return (await accept({ write: query }, [run]))[0]
  })
}

const claimText = `
  UPDATE millrace.trigger_owner SET process_id = $1, until = now() + ${LEASE_MS} * interval '1ms'
  WHERE process_id = $1 OR until < now()
  RETURNING only_row`

export function createTriggerOwners(query: Query): TriggerOwners {
  return {
    claim: async (processId) =>
      (await query({ name: 'claim-triggers', text: claimText }, [processId])).length > 0,
    async release(processId) {
      await query(
        "UPDATE millrace.trigger_owner SET process_id = NULL, until = '-infinity' WHERE process_id = $1",
        [processId]
      )
    }
  }
}
