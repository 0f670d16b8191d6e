import type { EmbeddedStore } from '../../store/embedded-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { proxyStore } from '../faults/store-proxy.ts'
import { Records } from '../oracle/records.ts'
import type { Folders } from './folders.ts'
import type { Machine, StoreUser } from './machine.ts'
import { quiet } from './scheduler.ts'

/** One process after the other on SQLite's store, each with a folder of its own. */
export class EmbeddedMachine implements Machine {
  readonly #folders: Folders
  #folder: string
  #store: EmbeddedStore | undefined
  #records: Records | undefined
  readonly quiet = quiet

  constructor(folders: Folders, template: string) {
    this.#folders = folders
    this.#folder = folders.copyOf(template)
  }

  get config(): Machine['config'] {
    return { home: this.#folder, database: null }
  }

  get records(): Records {
    this.#records ??= new Records(this.#folder)
    return this.#records
  }

  async open(user: StoreUser): Promise<EmbeddedStore> {
    this.#store = await openSqliteStore({ folder: this.#folder, timing: user.clock })
    return proxyStore(this.#store, user)
  }

  async left(_process: unknown, how: 'died' | 'stopped'): Promise<void> {
    this.#leave()
    if (how === 'stopped') return
    const left = this.#folder
    this.#folder = this.#folders.copyOf(left)
    await this.#store?.close()
    this.#folders.remove(left)
  }

  async close(): Promise<void> {
    this.#leave()
    this.#folders.remove(this.#folder)
  }

  #leave(): void {
    this.#records?.close()
    this.#records = undefined
  }
}
