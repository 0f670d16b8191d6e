import type { Client } from 'pg'
import type { Session } from './real-sessions.ts'

/** So long the server has before it is asked whether somebody waits for a lock: after the time in which it looks for deadlocks. */
const PATIENCE_MS = 3

const blockedText = {
  name: 'blocked',
  text: 'SELECT pid FROM unnest($1::integer[]) AS pid WHERE cardinality(pg_blocking_pids(pid)) > 0'
}

/** What the server works on. A statement may wait there for a lock that somebody else holds. */
export class UnderWork {
  readonly #control: Client
  readonly #working = new Set<Session>()
  /** Of these it is known that they wait, as long as nothing else happens at the server. */
  #blocked = new Set<Session>()
  #hasChanged = false
  #onChange: (() => void) | undefined
  /** How often anything was done. */
  changes = 0

  constructor(control: Client) {
    this.#control = control
  }

  has(session: Session): boolean {
    return this.#working.has(session)
  }

  async do<T>(session: Session, work: () => Promise<T>): Promise<T> {
    this.#working.add(session)
    this.#changed()
    try {
      return await work()
    } finally {
      this.#working.delete(session)
      this.#changed()
    }
  }

  /** The statement that waits there is given up. */
  async cancel({ client }: Session): Promise<void> {
    await this.#control.query('SELECT pg_cancel_backend($1)', [client.processID])
  }

  /** Resolves when the server has answered all that it can: what is left waits for a lock. */
  async quiet(): Promise<void> {
    for (;;) {
      await turn()
      if (this.#working.size === 0) return
      if (!this.#hasChanged && this.#isAllBlocked) return
      this.#hasChanged = false
      if (await this.#changesSoon()) continue
      this.#blocked = await this.#askWhoIsBlocked()
    }
  }

  get #isAllBlocked(): boolean {
    return [...this.#working].every((session) => this.#blocked.has(session))
  }

  #changed(): void {
    this.changes++
    this.#hasChanged = true
    this.#onChange?.()
  }

  #changesSoon(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), PATIENCE_MS)
      const end = (hasChanged: boolean) => {
        clearTimeout(timer)
        this.#onChange = undefined
        resolve(hasChanged)
      }
      this.#onChange = () => end(true)
    })
  }

  async #askWhoIsBlocked(): Promise<Set<Session>> {
    const asked = [...this.#working]
    const pids = asked.map(({ client }) => client.processID)
    const { rows } = await this.#control.query<{ pid: number }>({ ...blockedText, values: [pids] })
    const blocked = new Set(rows.map(({ pid }) => pid))
    return new Set(asked.filter(({ client }) => blocked.has(client.processID)))
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
