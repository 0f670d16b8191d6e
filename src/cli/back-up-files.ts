import { existsSync } from 'node:fs'
import { copyFiles } from '../files/copy-files.ts'
import { createFolderPlace } from '../files/folder-place.ts'
import type { StoredBytes } from '../store/files.ts'
import { makeFolder } from '../store/sqlite/file/make-folder.ts'

export interface SavedFiles {
  readonly count: number
  readonly bytes: number
  readonly lost: readonly string[]
}

/**
 * Copies files from one folder into another, in two goes. A service that runs may delete a file at any moment, and files come in.
 * So the first go, before the database is copied, takes all that there are; the second what the copy names besides, which is young,
 * and which nobody deletes within a day. Then what the copy does not name is removed.
 */
export class FilesBackup {
  readonly #from: string
  readonly #to: string

  constructor(from: string, to: string) {
    this.#from = from
    this.#to = to
  }

  async before(files: readonly StoredBytes[]): Promise<void> {
    if (files.length > 0) await this.#copy(files)
  }

  /** What the copied database names. */
  async after(files: readonly StoredBytes[]): Promise<SavedFiles> {
    if (files.length === 0 && !existsSync(this.#to)) return { count: 0, bytes: 0, lost: [] }
    const { copied, found, bytes, lost } = await this.#copy(files)
    await this.#removeOthers(new Set(files.map(({ name }) => name)))
    return { count: copied + found, bytes, lost }
  }

  #copy(files: readonly StoredBytes[]) {
    makeFolder(this.#to)
    return copyFiles({ from: createFolderPlace(this.#from), to: createFolderPlace(this.#to), files })
  }

  async #removeOthers(named: ReadonlySet<string>): Promise<void> {
    const saved = createFolderPlace(this.#to)
    for await (const { name } of saved.names()) if (!named.has(name)) await saved.remove(name)
  }
}
