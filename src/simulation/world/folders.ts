import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a store leaves behind when its process dies: SQLite makes the rest anew. */
const LEFT = ['millrace.db', 'millrace.db-wal']

/** Folders of simulated processes: each has one of its own, and the next begins with what the one before it left. */
export class Folders {
  readonly #root: string
  #count = 0

  constructor(below = tmpdir()) {
    this.#root = mkdtempSync(join(below, 'millrace-simulation-'))
  }

  make(): string {
    const folder = join(this.#root, String(this.#count++))
    mkdirSync(folder)
    return folder
  }

  /** As a disk has it after a death: what is committed, and nothing of what was in memory. */
  copyOf(from: string): string {
    const folder = this.make()
    for (const file of LEFT) {
      if (existsSync(join(from, file))) copyFileSync(join(from, file), join(folder, file))
    }
    return folder
  }

  remove(folder: string): void {
    rmSync(folder, { recursive: true, force: true })
  }

  removeAll(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}
