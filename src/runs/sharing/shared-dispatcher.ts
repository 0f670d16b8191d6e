import type { ClaimedRun, RunQueue } from '../../store/shared-store.ts'
import type { AcceptedRun } from '../../store/store.ts'
import type { Dispatch, Work } from '../dispatch/dispatch.ts'
import { RunPlaces } from '../dispatch/run-places.ts'
import type { Executed, ExecutionListener, NewsOfRun } from '../execute/executing-run.ts'
import { isSuspectRun } from '../execute/quarantine.ts'
import { ClaimCancels, type ClaimCancelsDeps } from './claim-cancels.ts'
import { Claiming, type ClaimingDeps } from './claiming.ts'
import { type Claim, Claims, tellClaim } from './claims.ts'
import { FlowTurns } from './flow-turns.ts'
import { Heartbeats } from './heartbeats.ts'
import { QueuedClaims } from './queued-claims.ts'
import type { Standstill } from './standstill.ts'
import { UnderWay } from './under-way.ts'

export interface SharedDispatcherDeps
  extends Work,
    Pick<ClaimCancelsDeps, 'wantCancel' | 'tellToAsk'>,
    Pick<ClaimingDeps, 'told' | 'tellWork'> {
  readonly queue: Pick<RunQueue, 'flowsWithWork' | 'isStuck' | 'claim' | 'heartbeat' | 'giveBack'>
  readonly standstill: ClaimingDeps['standstill'] & Pick<Standstill, 'queueAnswered'>
  /** Tells whoever executes the run, somewhere, that a wait of it has ended. */
  readonly tellWoken: (runId: string) => void
}

/**
 * - working: what can be is claimed, and begins.
 * - stopping: nothing is claimed, and nothing begins. What is under way reaches a checkpoint, under its claim.
 * - gone: nothing is claimed by this process any more; what is still executed is in vain.
 */
type Mode = 'working' | 'stopping' | 'gone'

/**
 * Executes runs that any process accepted. It claims as many as it has places for, so none is queued here while another
 * process is idle, and takes them from flows in turn: of eleven flows with work each gets an eleventh of the places,
 * whether it has ten queued runs or fifty thousand.
 *
 * What holds at any moment: a run that this process has claimed, as far as it knows, is among its claims once and has a place; it is queued
 * here, or an execution has it, or it is asked whether it is to be cancelled. One claim is under way at the most. None is queued here
 * while it is stopping.
 *
 * A claim is kept by heartbeats. What this process can no longer keep (it was held to be dead, or the run was
 * cancelled) it stops executing; whatever it still writes is refused by the store.
 */
export class SharedDispatcher implements Dispatch {
  readonly #deps: SharedDispatcherDeps
  readonly #turns: FlowTurns
  readonly #claims = new Claims()
  readonly #places: RunPlaces
  readonly #queued: QueuedClaims
  readonly #claiming: Claiming
  #mode: Mode = 'working'
  readonly #heartbeats: Heartbeats
  readonly #cancels: ClaimCancels
  /** What is told to the queue besides claims. */
  readonly #underWay = new UnderWay()
  #onIdle: (() => void) | undefined

  constructor(deps: SharedDispatcherDeps) {
    this.#deps = deps
    this.#places = new RunPlaces(deps.places)
    this.#queued = new QueuedClaims({
      clock: deps.clock,
      isCrowded: () => deps.isCrowded(),
      memory: deps.places.memory,
      execute: (claim, queued) => {
        const isSuspect = isSuspectRun(claim.run.deaths)
        claim.execution = deps.execute(queued, isSuspect, this.#listenerFor(claim))
        if (claim.mayBeWoken === true) claim.execution.notify('woken')
      },
      onSlice: () => this.#claimSoon()
    })
    const claims = this.#claims
    const told = { lose: (it: Claim) => this.#lose(it), cancel: (it: Claim) => this.#cancel(it) }
    const heartbeats = new Heartbeats({ ...deps, ...told, claims })
    const isClaiming = () => this.#claiming.isUnderWay
    this.#heartbeats = heartbeats
    this.#cancels = new ClaimCancels({ ...deps, ...told, claims, heartbeats, isClaiming })
    const turns = new FlowTurns({ limitOf: deps.limitOf, claims: this.#claims, places: this.#places })
    this.#turns = turns
    this.#claiming = new Claiming({
      ...deps,
      turns,
      isStopping: () => this.#isStopping,
      onClaimed: (runs) => this.#claimed(runs),
      onOver: () => {
        this.#cancels.claimed()
        this.#claimSoon()
      }
    })
  }

  async start(): Promise<void> {
    this.#heartbeats.start()
    await this.look()
  }

  /** What is queued is given back at once; what is under way reaches a checkpoint first. */
  async stop(): Promise<void> {
    if (this.#mode !== 'gone') this.#mode = 'stopping'
    const queued = this.#queued.stop()
    for (const claim of queued) this.#forget(claim)
    for (const { execution } of this.#claims.all) execution?.interrupt()
    await this.#claiming.giveBack(queued.map(({ run }) => run))
    await this.#claiming.over()
    if (this.#claims.size === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }

  /**
   * For the very end: what has not reached a checkpoint in time is given back as it is. Resolves when nothing is on
   * its way to the queue any more.
   */
  async letGo(): Promise<void> {
    this.#mode = 'gone'
    this.#queued.stop()
    this.#heartbeats.stop()
    const rest = this.#claims.all.map(({ run }) => run)
    this.#claims.clear()
    await this.#claiming.giveBack(rest)
    await this.#claiming.over()
    await Promise.all([this.#underWay.over(), this.#heartbeats.over()])
  }

  offer({ flowId }: AcceptedRun): void {
    this.#deps.tellWork(flowId)
    this.mayHaveWork([flowId])
  }

  /** Whoever claims it, executes it: nobody brings it twice. */
  reopening(): void {}

  notReopened(): void {}

  resume({ flowId }: AcceptedRun): void {
    this.#deps.tellWork(flowId)
    this.mayHaveWork([flowId])
  }

  pauseChanged(flowId: string, isPaused: boolean): void {
    if (!isPaused) this.mayHaveWork([flowId])
  }

  mayHaveDue(flowIds: readonly string[]): void {
    for (const flowId of flowIds) this.#deps.tellWork(flowId)
    this.mayHaveWork(flowIds)
  }

  mayHaveRoomAgain(): void {
    this.#queued.schedule()
    this.#claimSoon()
  }

  isActive(runId: string): boolean {
    return this.#claims.get(runId) !== undefined
  }

  cancel: ClaimCancels['cancel'] = (run) => this.#cancels.cancel(run)
  stopOrphaned: ClaimCancels['stopOrphaned'] = (runs) => this.#cancels.stopOrphaned(runs)
  mayBeCancelled: ClaimCancels['mayBeCancelled'] = (runIds) => this.#cancels.mayBeCancelled(runIds)
  ending: ClaimCancels['ending'] = (run) => this.#cancels.ending(run)

  /** Of children that ended here, and may be thousands, a parent that is executed elsewhere hears when the last has: the store tells. */
  tell(runId: string, news: NewsOfRun): void {
    if (this.#claims.get(runId) !== undefined) this.tellHere(runId, news)
    else if (news === 'woken') this.#deps.tellWoken(runId)
  }

  tellHere(runId: string, news: NewsOfRun): void {
    const claim = this.#claims.get(runId)
    if (claim !== undefined) tellClaim(claim, news)
  }

  /** Word of waits may have been lost: each run looks for itself. */
  mayAllBeWoken(): void {
    for (const claim of this.#claims.all) tellClaim(claim, 'woken')
  }

  /** Runs of these flows are queued, as far as is known. */
  mayHaveWork(flowIds: readonly string[]): void {
    this.#turns.mayHaveWork(flowIds)
    this.#claimSoon()
  }

  /** Runs of these flows have changed: where the limit of one was reached, it may be so no longer. */
  mayHaveRoom(flowIds: Iterable<string>): void {
    if (this.#turns.mayHaveRoom(flowIds)) this.#claimSoon()
  }

  /** Looks for itself: signals may have been missed, and the time of parked runs comes without one. */
  async look(): Promise<void> {
    if (this.#isStopping) return
    const { queue, standstill } = this.#deps
    this.#turns.forgetLimits()
    const flowIds = await queue.flowsWithWork()
    await standstill.queueAnswered(
      flowIds.length > 0 && this.#places.free > 0 && this.#queued.hasRoom,
      queue.isStuck
    )
    this.mayHaveWork(flowIds)
  }

  /** Many at once while there is something to do meanwhile; whatever there is when nothing is queued here any more. */
  #claimSoon(): void {
    const enough = this.#queued.count === 0 ? 1 : Math.ceil(this.#deps.places.computing / 4)
    if (this.#claiming.isUnderWay || this.#isStopping || this.#turns.areOver || this.#places.free < enough)
      return
    if (this.#queued.hasRoom) this.#claiming.begin()
  }

  #claimed(runs: readonly ClaimedRun[]): void {
    for (const run of runs) this.#hold(run)
    this.#queued.schedule()
  }

  #hold(run: ClaimedRun): void {
    const claim: Claim = { run, execution: undefined, isAwaiting: false, weight: 0 }
    this.#claims.add(claim)
    this.#places.take()
    if (run.wasParked) this.#deps.onTakenUp()
    if (run.isToCancel === true) this.#cancel(claim)
    else if (this.#cancels.isDoubted(run.id)) void this.#underWay.add(this.#beginUnlessCancelled(claim))
    else this.#queued.add(claim)
  }

  async #beginUnlessCancelled(claim: Claim): Promise<void> {
    await this.#heartbeats.beat([claim])
    if (this.#claims.get(claim.run.id) !== claim || claim.execution !== undefined) return
    if (this.#isStopping) {
      this.#forget(claim)
      return this.#claiming.giveBack([claim.run])
    }
    this.#queued.add(claim)
    this.#queued.schedule()
  }

  #cancel(claim: Claim): void {
    if (claim.execution === undefined) this.#cancelQueued(claim)
    else claim.execution.cancel()
  }

  /** It has not begun, and nothing of it will. */
  #cancelQueued(claim: Claim): void {
    this.#queued.remove(claim)
    const { run } = claim
    claim.execution = this.#deps.cancelUnbegun({ run, journal: run.journal }, this.#listenerFor(claim))
  }

  #forget(claim: Claim): void {
    this.#awaits(claim, false)
    if (!this.#claims.remove(claim)) return
    this.#places.give()
    this.#queued.executed(claim)
    if (this.#claims.size === 0) this.#onIdle?.()
  }

  get #isStopping(): boolean {
    return this.#mode !== 'working'
  }

  #listenerFor(claim: Claim): ExecutionListener {
    return {
      done: (how) => this.#executed(claim, how),
      awaits: (isAwaiting) => this.#awaits(claim, isAwaiting)
    }
  }

  #awaits(claim: Claim, isAwaiting: boolean): void {
    // What was let go, or lost, holds no place any more.
    if (!this.#claims.setAwaiting(claim, isAwaiting)) return
    this.#places.awaits(isAwaiting)
    if (!isAwaiting) return
    this.mayHaveRoom([claim.run.flowId])
    this.#claimSoon()
  }

  #executed(claim: Claim, how: Executed): void {
    const { run } = claim
    this.#forget(claim)
    if (typeof how === 'object' && how.mayBeDue) this.mayHaveWork([run.flowId])
    if (how === 'interrupted' && this.#mode !== 'gone')
      void this.#underWay.add(this.#claiming.giveBack([run]))
    this.mayHaveRoom([run.flowId])
    this.#queued.schedule()
    this.#claimSoon()
  }

  /** Somebody else has it, or it has ended, or was parked a moment ago: what is being done for it is in vain. */
  #lose(claim: Claim): void {
    if (claim.execution !== undefined) return claim.execution.notify('lost')
    this.#queued.remove(claim)
    this.#forget(claim)
  }
}
