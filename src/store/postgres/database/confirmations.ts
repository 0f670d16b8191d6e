import type { LibraryPart, Signals } from '../../shared-store.ts'
import type { Query } from './database.ts'
import { SYSTEM_TIMING, type Timing } from './timing.ts'

interface ConfirmationsDeps {
  readonly processId: string
  readonly signals: Pick<Signals, 'tell' | 'flush' | 'listen'>
  readonly query: Query
  readonly timing?: Timing | undefined
}

/** A process that is slow or has just died must not hold up a save for longer; it brings it in by itself. */
const LONGEST_MS = 1_000
/** Processes tell every second that they are alive. */
const aliveText = `
  SELECT id FROM millrace.processes
  WHERE role <> 'worker' AND id <> $1 AND seen_at > now() - interval '3 seconds'`

/** One save, and who has not said yet that they have it. */
interface Awaited {
  readonly part: LibraryPart
  readonly revision: number
  readonly from: Set<string>
  readonly done: () => void
}

interface Told {
  readonly part: LibraryPart
  readonly confirmed: Promise<void>
}

/**
 * Who saves something that all processes hold in memory is answered when the others have it: a client that is sent
 * to another web process by the next request finds there what it has just made. Workers are not waited for; they
 * look up what they do not know.
 */
export class Confirmations {
  readonly #deps: ConfirmationsDeps
  readonly #awaited = new Set<Awaited>()
  readonly #told = new Set<Told>()
  #isClosed = false

  constructor(deps: ConfirmationsDeps) {
    this.#deps = deps
    deps.signals.listen(({ from, broughtIn }) => {
      if (from !== undefined && broughtIn !== undefined) this.#confirm(from, broughtIn)
    })
  }

  /** Tells the others of a save. */
  tell(part: LibraryPart, revision: number): void {
    const told: Told = { part, confirmed: this.#tellOthers(part, revision) }
    this.#told.add(told)
    void told.confirmed.then(() => this.#told.delete(told))
  }

  /** Resolves when the others have all of this part that was told until now, or have had time enough. */
  async confirmed(part: LibraryPart): Promise<void> {
    const told = [...this.#told].filter((each) => each.part === part)
    await Promise.all(told.map(({ confirmed }) => confirmed))
  }

  /** Nobody is waited for any more. */
  close(): void {
    this.#isClosed = true
    for (const { done } of [...this.#awaited]) done()
  }

  /** Never rejects: what cannot be told, the others find by looking. */
  async #tellOthers(part: LibraryPart, revision: number): Promise<void> {
    const { query, processId, signals } = this.#deps
    const others = await query<{ id: string }>({ name: 'alive', text: aliveText }, [processId]).catch(
      () => []
    )
    const confirmed = others.length === 0 || this.#isClosed ? undefined : this.#wait(part, revision, others)
    signals.tell({ saved: { [part]: revision } })
    await signals.flush()
    await confirmed
  }

  #wait(part: LibraryPart, revision: number, others: readonly { id: string }[]): Promise<void> {
    return new Promise((resolve) => {
      const { startTimer } = this.#deps.timing ?? SYSTEM_TIMING
      const timer = startTimer(LONGEST_MS, () => awaited.done())
      const awaited: Awaited = {
        part,
        revision,
        from: new Set(others.map(({ id }) => id)),
        done: () => {
          timer.stop()
          this.#awaited.delete(awaited)
          resolve()
        }
      }
      this.#awaited.add(awaited)
    })
  }

  #confirm(from: string, broughtIn: Readonly<Partial<Record<LibraryPart, number>>>): void {
    for (const awaited of [...this.#awaited]) {
      if ((broughtIn[awaited.part] ?? 0) < awaited.revision) continue
      awaited.from.delete(from)
      if (awaited.from.size === 0) awaited.done()
    }
  }
}
