import { StepWait, type Woken } from '../flows/step/step-wait.ts'
import { Attempts } from './attempts.ts'
import { Checkpoints } from './checkpoints.ts'
import type { Effects, Ending, StepCall } from './effects.ts'
import { endedAs, parkedWith } from './endings.ts'
import type { JournalState } from './journal.ts'
import { keepMessages } from './keep-messages.ts'
import { nextAttempt, passBy, takeNextReady } from './next-step.ts'
import { OrderlyStop } from './orderly-stop.ts'
import { isPure, type PlannedNode } from './plan.ts'
import { allRecords, answeredOnce, type Progress, progressFrom } from './progress.ts'
import { nextAttemptIn } from './retry-policy.ts'
import type { RunToExecute } from './run-to-execute.ts'
import { cancel, type EndStatus, settle } from './settle.ts'
import { readFailure, StepError } from './step-error.ts'
import { readOutputs } from './step-outputs.ts'
import type { StepFailure, StepRecord } from './step-record.ts'
import { failedResult, recordOf, type StepResult } from './step-result.ts'
import { Waits } from './waits.ts'
import { hasWakeable, wakeableNode } from './wakeable.ts'

/**
 * One run of one plan, from its first step (or its last checkpoint) to its ending, which is handed over exactly
 * once. What comes next is decided by the rules in settle.ts; this class only does it, with the attempts that are
 * under way, the waits between them and the checkpoints around them. A run whose steps are all pure and synchronous
 * ends before `start` returns.
 */
export class Execution {
  readonly #storedValues: readonly unknown[]
  readonly #isSuspect: boolean
  readonly #effects: Effects
  readonly #onEnd: (ending: Ending) => void
  readonly #progress: Progress
  readonly #startedAt: number
  readonly #attempts: Attempts
  readonly #waits: Waits
  readonly #checkpoints: Checkpoints
  #hasStarted = false
  #isAdvancing = false
  #stop: OrderlyStop | undefined
  #hasEnded = false

  constructor(run: RunToExecute, recalled: JournalState, effects: Effects, onEnd: (ending: Ending) => void) {
    this.#storedValues = run.storedValues
    this.#isSuspect = run.isSuspect
    this.#effects = effects
    this.#onEnd = onEnd
    this.#progress = progressFrom(run.plan, run.trigger, recalled, run.given)
    this.#startedAt = recalled.startedAt ?? effects.wallClock()
    this.#attempts = new Attempts(effects, {
      returned: (call, value) => this.#returned(call, value),
      failed: (call, thrown) => this.#fail(call, thrown),
      isSlow: () => this.#tellWhere()
    })
    this.#waits = new Waits(this.#progress, effects, {
      over: (index) => this.#lookAgain(index),
      lost: () => this.#lose()
    })
    this.#checkpoints = new Checkpoints(effects, this.#startedAt)
  }

  start(): void {
    this.#hasStarted = true
    this.#advance()
  }

  /** R6 */
  cancel(): void {
    if (this.#hasEnded) return
    cancel(this.#progress.standing)
    this.#attempts.abortAll(
      new StepError('The run was cancelled.', { code: 'run_cancelled', retryable: false })
    )
    this.#end('cancelled')
  }

  /** No further step starts; the run is handed back when the steps in flight have come to their end. */
  interrupt(): void {
    const [attempts, checkpoints, isSuspect] = [this.#attempts, this.#checkpoints, this.#isSuspect]
    this.#stop ??= new OrderlyStop({ attempts, checkpoints, isSuspect })
    this.#stop.ask(() => this.#advance())
  }

  /** Whether there is a step that something outside may wake, or may have woken. */
  get mayBeWoken(): boolean {
    return !this.#hasEnded && hasWakeable(this.#progress)
  }

  /** Something outside has ended a wait, which is in the journal: the step need not wait until the others are done. */
  woken(nodeId: string, woken: Woken): void {
    const node = wakeableNode(this.#progress, nodeId)
    if (!this.#hasEnded && node !== undefined) this.#waits.woken(node.index, woken)
  }

  /** Children of steps have ended. */
  childrenEnded(): void {
    if (!this.#hasEnded) this.#waits.childrenEnded()
  }

  /** The run cannot be written down any more: it is over here and now. Returns what its steps have come to. */
  abandon(): readonly StepRecord[] {
    this.#hasEnded = true
    this.#waits.stop()
    this.#attempts.abortAll(new StepError('The run has ended.', { code: 'run_failed', retryable: false }))
    cancel(this.#progress.standing)
    return allRecords(this.#progress)
  }

  /** Starts what is ready, then sees what is left to wait for. A step that settles at once comes back in here. */
  #advance(): void {
    if (this.#isAdvancing || this.#hasEnded) return
    this.#isAdvancing = true
    while (this.#mayStart()) {
      const index = takeNextReady(this.#progress, this.#isSuspect, this.#attempts)
      if (index === undefined) break
      const node = this.#progress.plan.nodes[index]!
      if (this.#waits.keepWaiting(index)) this.#progress.standing.statuses[index] = 'waiting'
      else if (node.bypass === undefined) this.#startStep(node)
      else passBy(node, node.bypass, this.#progress, this.#checkpoints, this.#effects)
    }
    this.#isAdvancing = false
    const isIdle = this.#attempts.count === 0 && !this.#waits.isAsking && this.#stop?.isNoting !== true
    if (!this.#hasEnded && isIdle) this.#onIdle()
  }

  #mayStart(): boolean {
    return !this.#hasEnded && this.#stop === undefined && this.#progress.standing.failed === undefined
  }

  /** Nothing is in flight: the run has ended, waits, or is to be handed back. */
  #onIdle(): void {
    const { standing } = this.#progress
    if (standing.failed !== undefined) return this.#end('failed')
    if (standing.left === 0) return this.#end('succeeded')
    const isToPark = this.#waits.count > 0
    // What a failed step has left goes on until the failure is written; once the run is parked, it cannot end that any more.
    if (isToPark ? this.#checkpoints.lackFailure : !this.#checkpoints.isUpToDate) this.#checkpoints.save()
    const saves = this.#checkpoints.underWay
    // Whoever goes on with it would repeat a step whose result is not durable, or is refused once the run is another's.
    if (saves !== undefined) saves.then((areOurs) => (areOurs ? this.#advance() : this.#lose()))
    else if (isToPark) this.#finish(parkedWith(this.#waits, this.#progress, this.#checkpoints, this.#effects))
    else this.#finish({ kind: 'interrupted' })
  }

  #startStep(node: PlannedNode): void {
    const { standing, poisoned } = this.#progress
    standing.statuses[node.index] = 'in progress'
    const call = nextAttempt(this.#progress, node, this.#waits.saidBefore(node.index), this.#effects)
    this.#attempts.begin(call)
    const refusal = poisoned.get(node.id)
    if (refusal !== undefined) return this.#fail(call, refusal)
    if (isPure(node) && !this.#isSuspect) return this.#attempts.invoke(call)
    this.#checkpoints.begin(call).then((isOurs) => this.#begun(call, isOurs))
  }

  /** That the step begins is durable. */
  #begun(call: StepCall, isOurs: boolean): void {
    if (!isOurs) return this.#lose()
    if (!this.#attempts.isUnderWay(call)) return
    if (this.#stop !== undefined) return this.#leave(call)
    this.#attempts.begin(call)
    this.#attempts.invoke(call)
  }

  /** The next process begins the step. */
  #leave(call: StepCall): void {
    this.#attempts.end(call)
    this.#advance()
  }

  #returned(call: StepCall, value: unknown): void {
    if (value instanceof StepWait)
      return this.#openWait(call, this.#waits.describe(call, value.request, this.#attempts.startOf(call)))
    let outputs: Record<string, unknown>
    let kept: Promise<boolean> | undefined
    try {
      outputs = readOutputs(value, this.#storedValues)
      kept = this.#effects.keep(call, outputs)
    } catch (error) {
      return this.#fail(call, error)
    }
    this.#settleOnce(kept, call, { status: 'succeeded', outputs, error: null })
  }

  #fail(call: StepCall, thrown: unknown): void {
    const failure = readFailure(thrown)
    // What the step asked of the store was given up, as everything is that was tried again.
    if (this.#stop !== undefined && failure.code === 'store_unwritable') return this.#leave(call)
    const error = { code: failure.code, message: failure.message }
    const { node, attempt } = call
    // What a pure component could not do once, it cannot do a second time.
    const delay = isPure(node) ? null : nextAttemptIn(node.retry, failure, attempt, this.#effects.random)
    if (delay !== null && this.#progress.standing.failed === undefined) {
      if (node.retry.schedule === undefined) return this.#wait(call, error, delay)
      return this.#openWait(this.#attempts.standIn(call), this.#waits.describeRetry(call, error, delay))
    }
    // R10. One that had attempts left and only ends because the run has failed is tried again when the run is.
    const result = failedResult(call, error, node.leadsErrorOn && delay === null)
    this.#settleOnce(keepMessages(call, this.#effects), call, result)
  }

  /** Once what the step put out is kept. Meanwhile the run may have been cancelled. */
  #settleOnce(kept: Promise<boolean> | undefined, call: StepCall, result: StepResult): void {
    if (kept === undefined) return this.#settle(call, result)
    this.#attempts.stopTimer(call)
    kept.then(
      (isOurs) => {
        if (!isOurs) this.#lose()
        else if (this.#attempts.isUnderWay(call)) this.#settle(call, result)
      },
      (error) => {
        if (this.#attempts.isUnderWay(call)) this.#fail(call, error)
      }
    )
  }

  /** R13. Other branches go on; the attempt counts as under way until the wait is written down. */
  #openWait(call: StepCall, { step, wait }: ReturnType<Waits['describe']>): void {
    const { index } = call.node
    this.#attempts.stopTimer(call)
    this.#checkpoints.openWait(step, wait).then((isOurs) => {
      if (!isOurs) return this.#lose()
      if (!this.#attempts.isUnderWay(call)) return
      this.#attempts.end(call)
      this.#waits.begin(index, step)
      this.#progress.standing.statuses[index] = 'waiting'
      this.#lookAgain(index)
    })
  }

  /** R5. While other steps are in flight the run stays in memory, so the wait is written down and timed here. */
  #wait(call: StepCall, error: StepFailure, delay: number): void {
    const { index } = call.node
    this.#attempts.end(call)
    this.#progress.standing.statuses[index] = 'waiting'
    const wait = this.#waits.pause(call, error, delay)
    this.#advance()
    // An idle run may wait for a save that was refused, with others of its steps to begin meanwhile.
    if (this.#hasEnded) return
    this.#saveMeanwhile({ waiting: [wait] })
    this.#waits.watch(index)
  }

  /** Told twice, as by a call and by the time that came with it, the step goes on once; told before the start, with that. */
  #lookAgain(index: number): void {
    if (this.#hasEnded || !this.#hasStarted) return
    const { ready } = this.#progress
    if (this.#waits.has(index) && !ready.includes(index)) ready.push(index)
    this.#advance()
  }

  #settle(call: StepCall, result: StepResult): void {
    const { node } = call
    const times = this.#waits.timesOf(node.index, this.#attempts.end(call))
    const record = answeredOnce(this.#progress, recordOf(call, result, times))
    this.#progress.records[node.index] = record
    this.#checkpoints.add(record)
    this.#progress.ready.push(...settle(this.#progress.standing, node.index, result).ready)
    this.#advance()
    if (!isPure(node) || this.#isSuspect) this.#saveResult()
    // Where all that follows comes back at once, the end tells the answer, and it is not written twice.
    else if (record.answer && this.#effects.isStored) Promise.resolve().then(() => this.#saveResult())
  }

  /**
   * The checkpoint after a step that was written down. It is not waited for: a pure step that follows may be repeated,
   * and an external one begins when its own checkpoint and those before it are durable. Where the run is
   * over, or a step that follows has taken the result into its own checkpoint, nothing is left to save.
   */
  #saveResult(): void {
    if (!this.#hasEnded && !this.#checkpoints.isUpToDate) this.#saveMeanwhile()
  }

  /** Of pure steps nothing is written on the way; of a run with one that computes for long it would seem that it had not begun. */
  #tellWhere(): void {
    if (!this.#hasEnded && !this.#checkpoints.isTold) this.#saveMeanwhile()
  }

  #saveMeanwhile(news?: Parameters<Checkpoints['save']>[0]): void {
    this.#checkpoints.save(news).then((isOurs) => {
      if (!isOurs) this.#lose()
    })
  }

  #lose(): void {
    this.#attempts.abortAll(new StepError('The run has ended.', { code: 'run_cancelled', retryable: false }))
    this.#finish({ kind: 'lost' })
  }

  #end(status: EndStatus): void {
    this.#finish(endedAs(status, this.#progress, this.#startedAt))
  }

  #finish(ending: Ending): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#waits.stop()
    this.#onEnd(ending)
  }
}
