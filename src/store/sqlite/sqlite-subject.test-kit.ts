import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { StoreSubject } from '../contract/subject.test-kit.ts'
import type { Store } from '../store.ts'
import { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts'

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
  const folder = await folderFor(t)
  const store = await openSqliteStore({ folder, ...options })
  t.after(() => store.close())
  return { store, folder }
}

export async function folderFor(t: TestContext): Promise<string> {
  const folder = await temporaryFolder()
  // Hooks of a test run in the order in which they were added, so a store may still be open here.
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
