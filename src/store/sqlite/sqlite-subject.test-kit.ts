import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { StoreSubject } from '../contract/subject.test-kit.ts'
import type { Store } from '../store.ts'
import { databasePath } from './file/database-file.ts'
import { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts'
import { openHungStepNotes } from './runs/hung-steps.ts'

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'millrace-store-'))
}

export async function openSubject(): Promise<StoreSubject> {
  const folder = await temporaryFolder()
  let store = await openSqliteStore({ folder })
  return {
    store,
    async reopen() {
      await store.close()
      store = await openSqliteStore({ folder })
      return store
    },
    openHungStepNotes: async () => openHungStepNotes(databasePath(folder), 1_000),
    async cleanup() {
      await store.close()
      await rm(folder, { recursive: true })
    }
  }
}

/** A store that closes and a folder that goes when the test is over. */
export async function openFor(
  t: TestContext,
  options: Omit<SqliteStoreOptions, 'folder'> = {}
): Promise<{ store: Store; folder: string }> {
  const folder = await temporaryFolder()
  const store = await openSqliteStore({ folder, ...options })
  // One hook for both: hooks run in the order in which they were added, and the store has to be closed first.
  t.after(async () => {
    await store.close()
    await removeFolder(folder)
  })
  return { store, folder }
}

export async function folderFor(t: TestContext): Promise<string> {
  const folder = await temporaryFolder()
  t.after(() => removeFolder(folder))
  return folder
}

async function removeFolder(folder: string): Promise<void> {
  // Some tests make it read-only.
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true })
}
