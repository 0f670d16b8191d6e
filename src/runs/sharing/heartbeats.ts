import type { Clock } from '../../clock.ts'
import type { ClaimedRun, RunQueue } from '../../store/shared-store.ts'
import type { Claim, Claims } from './claims.ts'
import { UnderWay } from './under-way.ts'

interface HeartbeatsDeps {
  readonly clock: Pick<Clock, 'startTimer'>
  readonly queue: Pick<RunQueue, 'heartbeat'>
  readonly claims: Claims
  /** Its claim holds no longer. */
  readonly lose: (claim: Claim) => void
  readonly cancel: (claim: Claim) => void
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Much shorter than the time after which a process is held to be dead: what it had claimed is taken up so much sooner as
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
      void this.beat(this.#deps.claims.all).finally(() => this.start())
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
  beat(claims: readonly Claim[]): Promise<void> {
    return claims.length === 0 ? Promise.resolve() : this.#underWay.add(this.#beat(claims))
  }

  async #beat(claims: readonly Claim[]): Promise<void> {
    const { queue, lose, cancel, onError } = this.#deps
    try {
      const { lost, cancelled } = await queue.heartbeat(claims.map(({ run }) => run))
      for (const run of lost) this.#whileClaimed(run, lose)
      for (const run of cancelled) this.#whileClaimed(run, cancel)
    } catch (error) {
      onError(error, 'telling that runs go on')
    }
  }

  #whileClaimed(run: ClaimedRun, then: (claim: Claim) => void): void {
    const claim = this.#deps.claims.get(run.id)
    if (claim?.run.claim === run.claim) then(claim)
  }
}
