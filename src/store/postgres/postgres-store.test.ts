import { after } from 'node:test'
import { sharedPostgres } from '../../../test/support/postgres.ts'
import type { OpenSubject, StoreSubject } from '../contract/subject.test-kit.ts'
import { storeContract } from '../contract.test-kit.ts'
import type { Store } from '../store.ts'
import { type Emptied, openEmptied } from './emptied-store.test-kit.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { openHungStepNotes } from './runs/hung-steps.ts'

let emptied: Promise<Emptied> | undefined
// Before the databases of this file go: hooks run in the order in which they are added.
after(async () => (await emptied)?.close())
const postgres = sharedPostgres()

const openSubject: OpenSubject = ({ isNew }) => (isNew ? newSubject() : emptySubject())

async function emptySubject(): Promise<StoreSubject> {
  emptied ??= postgres.database().then(openEmptied)
  const { url, store, reopen, empty } = await emptied
  return { ...subjectOf(url, store()), reopen, cleanup: empty }
}

async function newSubject(): Promise<StoreSubject> {
  const url = await postgres.database()
  let store = await open(url)
  return {
    ...subjectOf(url, store),
    async reopen() {
      await store.close()
      store = await open(url)
      return store
    },
    async cleanup() {
      await store.close()
      await postgres.giveBack(url)
    }
  }
}

const open = (url: string) => openPostgresStore({ processId: 'test', url })

const subjectOf = (url: string, store: Store) => ({
  store,
  openHungStepNotes: () => openHungStepNotes(url, 1_000)
})

storeContract('the PostgreSQL store', openSubject)
