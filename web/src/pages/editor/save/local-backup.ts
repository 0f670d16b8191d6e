import { parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import type { Unsaved } from '../../../editor/save/save-state.ts'

/** How long work may be newer than what is kept of it: writing a large flow at every key stroke is felt. */
const KEEP_EVERY_MS = 400

/** What is not saved yet, kept in the browser: a tab that is closed too early, or crashes, loses nothing. */
export class LocalBackup {
  readonly #key: string
  readonly #storage: Storage
  #pending: { readonly work: Unsaved | undefined } | undefined
  #timer = 0

  constructor(flowId: string, storage: Storage) {
    this.#key = `millrace.draft.${flowId}`
    this.#storage = storage
  }

  read(): Unsaved | undefined {
    try {
      const text = this.#storage.getItem(this.#key)
      return text === null ? undefined : (parseJson(text) as unknown as Unsaved)
    } catch {
      return undefined
    }
  }

  keep(work: Unsaved | undefined): void {
    this.#pending = { work }
    if (this.#timer === 0) this.#timer = window.setTimeout(() => this.write(), KEEP_EVERY_MS)
  }

  write(): void {
    window.clearTimeout(this.#timer)
    this.#timer = 0
    const pending = this.#pending
    this.#pending = undefined
    if (pending === undefined) return
    try {
      if (pending.work === undefined) this.#storage.removeItem(this.#key)
      else this.#storage.setItem(this.#key, writeJson(pending.work))
    } catch {
      // The browser's storage is full or forbidden: then the page itself is the only copy, as without this.
    }
  }
}
