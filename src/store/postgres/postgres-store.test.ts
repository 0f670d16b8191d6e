import { sharedPostgres } from '../../../test/support/postgres.ts'
import type { StoreSubject } from '../contract/subject.test-kit.ts'
import { storeContract } from '../contract.test-kit.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { openHungStepNotes } from './runs/hung-steps.ts'

const postgres = sharedPostgres()

async function openSubject(): Promise<StoreSubject> {
  const url = await postgres.database()
  let store = await openPostgresStore({ processId: 'test', url })
  return {
    store,
    async reopen() {
      await store.close()
      store = await openPostgresStore({ processId: 'test', url })
      return store
    },
    openHungStepNotes: () => openHungStepNotes(url, 1_000),
    async cleanup() {
      await store.close()
      await postgres.giveBack(url)
    }
  }
}

storeContract('the PostgreSQL store', openSubject)
