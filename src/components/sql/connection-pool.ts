import { WaitingLine } from './waiting-line.ts'

/** A session with a database. */
export interface Session {
  /** False when the other side has hung up, or an error left it in a state that nobody knows. */
  readonly isUsable: boolean
  /** Ends at once, whatever is under way. */
  destroy(): void
}

export interface PoolOptions<S extends Session> {
  readonly open: (signal: AbortSignal) => Promise<S>
  readonly most: number
  /** Milliseconds, monotonic. */
  readonly now: () => number
}

/** Routers forget connections that nothing passes over, without a word to either end. */
const LONGEST_IDLE_MS = 30_000

interface IdleSession<S> {
  readonly session: S
  readonly since: number
}

/**
 * Sessions for a bounded number of steps at the same time; the others wait, as long as their signal lets them. The one
 * that was used last is used first, so that those that are not needed grow old and are let go.
 */
export class ConnectionPool<S extends Session> {
  readonly #options: PoolOptions<S>
  #idle: IdleSession<S>[] = []
  readonly #waiting = new WaitingLine()
  readonly #busy = new Set<S>()
  #taken = 0
  #isClosed = false

  constructor(options: PoolOptions<S>) {
    this.#options = options
  }

  /** `isFresh` says whether the session was opened for this very use. */
  async withSession<R>(signal: AbortSignal, work: (session: S, isFresh: boolean) => Promise<R>): Promise<R> {
    await this.#takeSlot(signal)
    try {
      const idle = this.#takeIdle()
      const session = idle ?? (await this.#options.open(signal))
      return await this.#inSession(session, () => work(session, idle === undefined))
    } finally {
      this.#giveSlot()
    }
  }

  /** Lets go of what is idle. */
  forgetIdle(): void {
    for (const { session } of this.#idle) session.destroy()
    this.#idle = []
  }

  close(): void {
    this.#isClosed = true
    this.forgetIdle()
    for (const session of this.#busy) session.destroy()
  }

  async #inSession<R>(session: S, work: () => Promise<R>): Promise<R> {
    this.#busy.add(session)
    try {
      return await work()
    } finally {
      this.#busy.delete(session)
      if (session.isUsable && !this.#isClosed) this.#idle.push({ session, since: this.#options.now() })
      else session.destroy()
    }
  }

  async #takeSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#taken >= this.#options.most) return await this.#turn(signal)
    this.#taken += 1
  }

  /** To the one that waits longest: nobody can come between. */
  #giveSlot(): void {
    if (!this.#waiting.callNext()) this.#taken -= 1
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = this.#waiting.join(() => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      })
      const giveUp = () => {
        leave()
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  #takeIdle(): S | undefined {
    const oldest = this.#options.now() - LONGEST_IDLE_MS
    const kept = this.#idle.filter(({ session, since }) => {
      if (session.isUsable && since >= oldest) return true
      session.destroy()
      return false
    })
    const taken = kept.pop()
    this.#idle = kept
    return taken?.session
  }
}
