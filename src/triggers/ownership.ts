import type { Clock } from '../clock.ts'
import { InTurn } from '../store/in-turn.ts'
import { LEASE_MS, type TriggerOwners } from '../store/triggers.ts'

/** Whether this process is the one that has the triggers. */
export interface Ownership {
  readonly isMine: boolean
  /** Triggers are wanted, or none any more. What follows from it is told to the listener. */
  want(isWanted: boolean): void
  /** Called when it begins or ends; only one listens. */
  onChange(listener: () => void): void
  /** To be called when all triggers are stopped. */
  release(): Promise<void>
}

/** For a process that has the store to itself. */
export class SoleOwnership implements Ownership {
  #isWanted = false
  #listener = () => {}

  get isMine(): boolean {
    return this.#isWanted
  }

  want(isWanted: boolean): void {
    if (this.#isWanted === isWanted) return
    this.#isWanted = isWanted
    this.#listener()
  }

  onChange(listener: () => void): void {
    this.#listener = listener
  }

  async release(): Promise<void> {
    this.want(false)
  }
}

interface SharedOwnershipDeps {
  readonly owners: TriggerOwners
  readonly processId: string
  readonly clock: Clock
  readonly onError: (error: unknown, doing: string) => void
}

const RENEW_MS = 1_000
/**
 * Who could not renew it for so long lets go, well before anybody else may have it: stopping takes time. Counted from when
 * the question was sent, by a clock that nobody sets.
 */
const SAFE_MS = LEASE_MS / 2

/** One of several processes: whoever asks first has the triggers, and while it lives nobody else does. */
export class SharedOwnership implements Ownership {
  readonly #deps: SharedOwnershipDeps
  #listener = () => {}
  #isWanted = false
  #renewedAt = Number.NEGATIVE_INFINITY
  #wasMine = false
  #isFailing = false
  #asking: Promise<void> | undefined
  #timer: { stop(): void } | undefined
  /** Who lets go and wants it back at once must not let go of what it just got. */
  readonly #inTurn = new InTurn()

  constructor(deps: SharedOwnershipDeps) {
    this.#deps = deps
  }

  /** Looked at before every run that a trigger starts: a process that stood still for a while must not start one. */
  get isMine(): boolean {
    return this.#deps.clock.stopwatch() - this.#renewedAt < SAFE_MS
  }

  want(isWanted: boolean): void {
    if (this.#isWanted === isWanted) return
    this.#isWanted = isWanted
    if (isWanted) this.#ask()
    else void this.release()
  }

  onChange(listener: () => void): void {
    this.#listener = listener
  }

  async release(): Promise<void> {
    this.#isWanted = false
    this.#timer?.stop()
    const { owners, processId, onError } = this.#deps
    await this.#inTurn.do(async () => {
      if (this.#isWanted || this.#renewedAt === Number.NEGATIVE_INFINITY) return
      this.#renewedAt = Number.NEGATIVE_INFINITY
      this.#tell()
      await owners.release(processId).catch((error) => onError(error, 'handing the triggers over'))
    })
  }

  #ask(): void {
    this.#timer?.stop()
    this.#asking ??= this.#inTurn
      .do(() => this.#claim())
      .finally(() => {
        this.#asking = undefined
        this.#tell()
        if (this.#isWanted) this.#timer = this.#deps.clock.startTimer(RENEW_MS, () => this.#ask())
      })
    // The answer may never come.
    if (this.#wasMine) this.#watchTime()
  }

  #watchTime(): void {
    const left = this.#renewedAt + SAFE_MS - this.#deps.clock.stopwatch()
    const timer = this.#deps.clock.startTimer(Math.max(0, left), () => this.#tell())
    void this.#asking?.then(() => timer.stop())
  }

  async #claim(): Promise<void> {
    if (!this.#isWanted) return
    const { owners, processId, clock, onError } = this.#deps
    const sentAt = clock.stopwatch()
    try {
      this.#renewedAt = (await owners.claim(processId)) ? sentAt : Number.NEGATIVE_INFINITY
      this.#isFailing = false
    } catch (error) {
      // Once, and not every second for as long as it lasts. It stays ours until its time is over.
      if (!this.#isFailing) onError(error, 'asking who has the triggers')
      this.#isFailing = true
    }
  }

  #tell(): void {
    const { isMine } = this
    if (isMine === this.#wasMine) return
    this.#wasMine = isMine
    this.#listener()
  }
}
