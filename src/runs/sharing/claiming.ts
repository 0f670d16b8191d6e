import type { ClaimedRun, RunQueue } from '../../store/shared-store.ts'
import type { Work } from '../dispatch/dispatch.ts'
import type { FlowTurns } from './flow-turns.ts'
import type { SharedClock } from './shared-clock.ts'
import type { Standstill } from './standstill.ts'

export interface ClaimingDeps extends Pick<Work, 'clock' | 'onError'> {
  readonly queue: Pick<RunQueue, 'claim' | 'giveBack'>
  /** Told of what is taken up, and of what is not. */
  readonly standstill: Pick<Standstill, 'tries' | 'took'>
  /** See SharedClock. What was taken up because it is due finds that its time has come. */
  readonly told: SharedClock['told']
  readonly turns: Pick<FlowTurns, 'wishes' | 'served'>
  /** Tells the other processes that runs of this flow are queued. */
  readonly tellWork: (flowId: string) => void
  /** From then on nothing is kept that is claimed. */
  readonly isStopping: () => boolean
  readonly onClaimed: (runs: readonly ClaimedRun[]) => void
  /** Another claim may begin. */
  readonly onOver: () => void
}

const RETRY_MS = 1_000

/** Takes up queued runs for this process, one claim at a time, and gives back what it does not execute. */
export class Claiming {
  readonly #deps: ClaimingDeps
  #claim: Promise<void> | undefined
  #isFailing = false

  constructor(deps: ClaimingDeps) {
    this.#deps = deps
  }

  get isUnderWay(): boolean {
    return this.#claim !== undefined
  }

  /** Resolves when none is under way. */
  async over(): Promise<void> {
    await this.#claim
  }

  /** To be called while none is under way. */
  begin(): void {
    this.#claim = this.#take()
      .then(() => {
        this.#isFailing = false
      })
      .catch((error) => this.#failed(error))
      .finally(() => {
        this.#claim = undefined
        this.#deps.onOver()
      })
  }

  async giveBack(runs: readonly ClaimedRun[]): Promise<void> {
    if (runs.length === 0) return
    const { queue, tellWork, onError } = this.#deps
    try {
      await queue.giveBack(runs)
      for (const flowId of new Set(runs.map((run) => run.flowId))) tellWork(flowId)
    } catch (error) {
      // They are taken up all the same, when this process has said nothing of them for long enough.
      onError(error, 'giving back runs')
    }
  }

  async #take(): Promise<void> {
    const { queue, clock, told, standstill, turns, isStopping, onClaimed } = this.#deps
    const wishes = turns.wishes()
    if (wishes.length === 0) return
    const askedAt = clock.stopwatch()
    standstill.tries()
    const runs = await queue.claim(wishes)
    standstill.took(runs.length)
    if (runs.length > 0) told(runs[0]!.takenAt, askedAt)
    turns.served(wishes, runs)
    if (isStopping()) return this.giveBack(runs)
    onClaimed(runs)
  }

  /** Told once, and not every second for as long as the database is away. */
  async #failed(error: unknown): Promise<void> {
    if (!this.#isFailing) this.#deps.onError(error, 'taking up queued runs')
    this.#isFailing = true
    if (!this.#deps.isStopping()) await this.#deps.clock.after(RETRY_MS)
  }
}
