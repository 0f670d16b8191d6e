import type { Clock } from '../../clock.ts'
import type { ClaimedRun, RunQueue } from '../../store/shared-store.ts'
import type { Held, HeldRuns } from './held-runs.ts'
import { UnderWay } from './under-way.ts'

export interface HeartbeatsDeps {
  readonly clock: Pick<Clock, 'startTimer'>
  readonly queue: Pick<RunQueue, 'heartbeat'>
  readonly held: HeldRuns
  /** Its claim holds no longer. */
  readonly lose: (held: Held) => void
  readonly cancel: (held: Held) => void
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Much shorter than the time after which a process is held to be dead: what was held is taken up so much sooner as
 * the last beat was before the end, and that is to be one figure. Nine beats may be lost.
 */
const HEARTBEAT_MS = 1_000

/** Tells the store once a second which runs go on here, and hears which of them are not to. */
export class Heartbeats {
  readonly #deps: HeartbeatsDeps
  readonly #underWay = new UnderWay()
  #isStopped = false
  #timer: { stop(): void } | undefined

  constructor(deps: HeartbeatsDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#isStopped) return
    this.#timer = this.#deps.clock.startTimer(HEARTBEAT_MS, () => {
      void this.beat(this.#deps.held.all).finally(() => this.start())
    })
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.stop()
  }

  /** Resolves when none is under way. */
  over(): Promise<void> {
    return this.#underWay.over()
  }

  /** Never rejects: the next one asks again. */
  beat(held: readonly Held[]): Promise<void> {
    return held.length === 0 ? Promise.resolve() : this.#underWay.add(this.#beat(held))
  }

  async #beat(held: readonly Held[]): Promise<void> {
    const { queue, lose, cancel, onError } = this.#deps
    try {
      const { lost, cancelled } = await queue.heartbeat(held.map(({ run }) => run))
      for (const run of lost) this.#whileHeld(run, lose)
      for (const run of cancelled) this.#whileHeld(run, cancel)
    } catch (error) {
      onError(error, 'telling that runs go on')
    }
  }

  #whileHeld(run: ClaimedRun, then: (held: Held) => void): void {
    const held = this.#deps.held.get(run.id)
    if (held?.run.claim === run.claim) then(held)
  }
}
