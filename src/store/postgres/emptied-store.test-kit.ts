import { Client } from 'pg'
import { describeContent } from '../../../test/support/empty-database.ts'
import type { SharedStore } from '../shared-store.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { QUEUE_SCHEMA } from './queue/job-rows.ts'

/**
 * A store that stays open while one test after the other finds it empty: to open one, with connections on which nothing is
 * planned yet, takes 50 ms of a processor, which is ten times what most tests of the contract take.
 */
export interface Emptied {
  readonly url: string
  store(): SharedStore
  reopen(): Promise<SharedStore>
  empty(): Promise<void>
  close(): Promise<void>
}

export async function openEmptied(url: string): Promise<Emptied> {
  const open = () => openPostgresStore({ processId: 'test', url })
  let store = await open()
  const client = new Client({ connectionString: url })
  await client.connect()
  const content = withQueues(await describeContent(client))
  return {
    url,
    store: () => store,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    empty: async () => void (await client.query(content)),
    async close() {
      await store.close()
      await client.end()
    }
  }
}

/** The queues of flows are never deleted, and a store asks only once whether one is there. */
function withQueues(content: string): string {
  return content.replace(`DELETE FROM ${QUEUE_SCHEMA}.queue;`, '')
}
