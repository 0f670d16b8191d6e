import { LEASE_MS, type TriggerOwners } from '../triggers.ts'
import type { Query } from './database/database.ts'

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
