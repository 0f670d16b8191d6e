import { CallerQueue } from './caller-queue.ts'

/** A session with a database. */
export interface Session {
  /** False when the other side has hung up, or an error left it in a state that nobody knows. */
  readonly isUsable: boolean
  /** Ends at once, whatever is under way. */
  destroy(): void
}

interface PoolOptions<S extends Session> {
  readonly open: (signal: AbortSignal) => Promise<S>
  readonly most: number
  /** Milliseconds, monotonic. */
  readonly now: () => number
}

/** Routers forget connections that nothing passes over, without a word to either end. */
const LONGEST_IDLE_MS = 30_000

/** One use of a session. */
interface SessionUse {
  /** Whether the session was opened for it. */
  readonly isFresh: boolean
  /** Lets the next one who waits use the session already, and says whether somebody did. */
  readonly handOn: () => boolean
}

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
  readonly #queued = new CallerQueue<S | undefined>()
  /** Of each session that is in use, how many use it: more than one where it was handed on. */
  readonly #users = new Map<S, number>()
  #taken = 0
  #isClosed = false

  constructor(options: PoolOptions<S>) {
    this.#options = options
  }

  async withSession<R>(signal: AbortSignal, work: (session: S, use: SessionUse) => Promise<R>): Promise<R> {
    const handed = await this.#takeSlot(signal)
    let hasSlot = true
    try {
      const known = handed ?? this.#takeIdle()
      const session = known ?? (await this.#options.open(signal))
      const handOn = () => {
        if (hasSlot && session.isUsable && this.#queued.callNext(session)) hasSlot = false
        return !hasSlot
      }
      return await this.#inSession(session, () => work(session, { isFresh: known === undefined, handOn }))
    } finally {
      if (hasSlot) this.#giveSlot()
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
    for (const session of this.#users.keys()) session.destroy()
  }

  async #inSession<R>(session: S, work: () => Promise<R>): Promise<R> {
    this.#users.set(session, (this.#users.get(session) ?? 0) + 1)
    try {
      return await work()
    } finally {
      this.#leave(session)
    }
  }

  #leave(session: S): void {
    const others = this.#users.get(session)! - 1
    if (others > 0) {
      this.#users.set(session, others)
      return
    }
    this.#users.delete(session)
    if (session.isUsable && !this.#isClosed) this.#idle.push({ session, since: this.#options.now() })
    else session.destroy()
  }

  /** With a session, where somebody has handed theirs on. */
  async #takeSlot(signal: AbortSignal): Promise<S | undefined> {
    signal.throwIfAborted()
    if (this.#taken >= this.#options.most) return await this.#turn(signal)
    this.#taken += 1
    return undefined
  }

  /** To the one that waits longest: nobody can come between. */
  #giveSlot(): void {
    if (!this.#queued.callNext(undefined)) this.#taken -= 1
  }

  #turn(signal: AbortSignal): Promise<S | undefined> {
    return new Promise((resolve, reject) => {
      const leave = this.#queued.join((session) => {
        signal.removeEventListener('abort', giveUp)
        resolve(session)
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
