import type { RunTrigger } from '../flows/component.ts'
import type { Effects, Ending, StepCall, Timer } from './effects.ts'
import type { JournalEntry, JournalState } from './journal.ts'
import { LazyAbort } from './lazy-abort.ts'
import type { Plan, PlannedNode } from './plan.ts'
import { allRecords, crashesProcess, inputsTo, type Progress, progressFrom, runFailure } from './progress.ts'
import { nextAttemptIn } from './retry-policy.ts'
import { cancel, type EndStatus, markNotReached, settle } from './settle.ts'
import { type ReadFailure, readFailure, StepError } from './step-error.ts'
import { readOutputs } from './step-outputs.ts'
import type { StepRecord } from './step-record.ts'

interface Attempt {
  readonly call: StepCall
  readonly startedAt: number
  readonly since: number
  timer: Timer | undefined
}

export interface RunToExecute {
  readonly plan: Plan
  /** What came with the request: it is stored with the run, so an output that is one of these need not be looked at. */
  readonly storedValues: readonly unknown[]
  readonly trigger: RunTrigger
  /** The process may die of one of its steps: pure ones, too, are written down before they begin. */
  readonly isSuspect: boolean
}

/**
 * One run of one plan, from its first step (or its last checkpoint) to its ending, which is handed over exactly
 * once. What comes next is decided by the rules in settle.ts; this class only does it. A run whose steps are all
 * pure and synchronous ends before `start` returns.
 */
export class Execution {
  readonly #storedValues: readonly unknown[]
  readonly #isSuspect: boolean
  readonly #effects: Effects
  readonly #onEnd: (ending: Ending) => void
  readonly #progress: Progress
  readonly #startedAt: number
  readonly #inFlight = new Map<number, Attempt>()
  /** Records that no checkpoint holds yet. */
  #unsaved: StepRecord[] = []
  readonly #waits: Timer[] = []
  #isAdvancing = false
  #isStopping = false
  #isOver = false

  constructor(run: RunToExecute, recalled: JournalState, effects: Effects, onEnd: (ending: Ending) => void) {
    this.#storedValues = run.storedValues
    this.#isSuspect = run.isSuspect
    this.#effects = effects
    this.#onEnd = onEnd
    this.#progress = progressFrom(run.plan, run.trigger, recalled)
    this.#startedAt = recalled.startedAt ?? effects.wallClock()
  }

  start(): void {
    this.#advance()
  }

  /** R6 */
  cancel(): void {
    if (this.#isOver) return
    cancel(this.#progress.standing)
    this.#abortAll(new StepError('The run was cancelled.', { code: 'run_cancelled', retryable: false }))
    this.#end('cancelled')
  }

  /** No further step starts; the run is handed back when the steps in flight have come to their end. */
  interrupt(): void {
    this.#isStopping = true
    this.#advance()
  }

  /** Starts what is ready, then sees what is left to wait for. A step that settles at once comes back in here. */
  #advance(): void {
    if (this.#isAdvancing || this.#isOver) return
    this.#isAdvancing = true
    while (this.#mayStart()) {
      const index = this.#nextReady()
      if (index === undefined) break
      if (!this.#mustWait(index)) this.#startStep(this.#progress.plan.nodes[index]!)
    }
    this.#isAdvancing = false
    if (!this.#isOver && this.#inFlight.size === 0) this.#rest()
  }

  #mayStart(): boolean {
    return !this.#isOver && !this.#isStopping && this.#progress.standing.failed === undefined
  }

  /** A suspect's pure steps go one at a time: of two that had begun, nobody could tell which the process died of. */
  #nextReady(): number | undefined {
    const { ready, plan } = this.#progress
    if (!this.#isSuspect) return ready.shift()
    const isPure = (index: number) => plan.nodes[index]!.effects === 'pure'
    if (!this.#inFlight.keys().some(isPure)) return ready.shift()
    const at = ready.findIndex((index) => !isPure(index))
    return at < 0 ? undefined : ready.splice(at, 1)[0]
  }

  #mustWait(index: number): boolean {
    const wait = this.#progress.waiting.get(index)
    if (wait === undefined) return false
    const left = wait.until - this.#effects.wallClock()
    if (left <= 0) {
      this.#progress.waiting.delete(index)
      return false
    }
    this.#progress.standing.statuses[index] = 'waiting'
    this.#lookAgainIn(left, index)
    return true
  }

  /** Nothing is in flight: the run has ended, waits, or is to be handed back. */
  #rest(): void {
    const { standing, waiting } = this.#progress
    if (standing.failed !== undefined) return this.#end('failed')
    if (standing.left === 0) return this.#end('succeeded')
    if (waiting.size > 0) return this.#park()
    if (this.#unsaved.length === 0) return this.#finish({ kind: 'interrupted' })
    this.#effects
      .checkpoint(this.#entry())
      .then((isOurs) => this.#finish({ kind: isOurs ? 'interrupted' : 'lost' }))
  }

  #startStep(node: PlannedNode): void {
    const { standing, attemptsMade, poisoned } = this.#progress
    standing.statuses[node.index] = 'in progress'
    const attempt = ++attemptsMade[node.index]!
    const inputs = inputsTo(this.#progress, node)
    const call: StepCall = { node, inputs, attempt, messages: [], abort: new LazyAbort() }
    this.#began(call)
    if (poisoned.has(node.id)) return this.#fail(call, crashesProcess(node))
    if (node.effects === 'pure' && !this.#isSuspect) return this.#invoke(call)
    this.#effects
      .checkpoint(this.#entry({ begun: [{ node: node.id, type: node.type, attempt }] }))
      .then((isOurs) => {
        if (!isOurs) return this.#lose()
        if (!this.#isCurrent(call)) return
        if (this.#isStopping) return this.#handBack(call)
        // The stopwatch starts anew: the wait for the checkpoint is not the component's time.
        this.#began(call)
        this.#invoke(call)
      })
  }

  #began(call: StepCall): void {
    const { wallClock, stopwatch } = this.#effects
    this.#inFlight.set(call.node.index, {
      call,
      startedAt: wallClock(),
      since: stopwatch(),
      timer: undefined
    })
  }

  #invoke(call: StepCall): void {
    let returned: unknown
    try {
      returned = this.#effects.invoke(call)
    } catch (thrown) {
      return this.#fail(call, thrown)
    }
    if (!isThenable(returned)) return this.#succeed(call, returned)
    const { index, timeoutMs } = call.node
    if (timeoutMs !== undefined) {
      this.#inFlight.get(index)!.timer = this.#effects.startTimer(timeoutMs, () =>
        this.#timeOut(call, timeoutMs)
      )
    }
    // A thenable that is no promise may throw from `then`, or call back more than once.
    Promise.resolve(returned).then(
      (value) => this.#succeed(call, value),
      (thrown) => this.#fail(call, thrown)
    )
  }

  /** The service stops while the checkpoint of a step is written: the next process begins the step. */
  #handBack(call: StepCall): void {
    this.#takeOutOfFlight(call)
    this.#advance()
  }

  #timeOut(call: StepCall, timeoutMs: number): void {
    const message = `It took longer than ${timeoutMs} ms. Raise the node's timeout_ms or make the call faster.`
    const error = new StepError(message, { code: 'step_timeout' })
    call.abort.abort(error)
    this.#fail(call, error)
  }

  #succeed(call: StepCall, returned: unknown): void {
    if (!this.#isCurrent(call)) return
    let outputs: Record<string, unknown>
    try {
      outputs = readOutputs(returned, this.#storedValues)
    } catch (error) {
      return this.#fail(call, error)
    }
    this.#settle(call, { status: 'succeeded', outputs, error: null })
  }

  #fail(call: StepCall, thrown: unknown): void {
    if (!this.#isCurrent(call)) return
    const failure = readFailure(thrown)
    const { node, attempt } = call
    // What a pure component could not do once, it cannot do a second time.
    const delay =
      node.effects === 'pure' ? null : nextAttemptIn(node.retry, failure, attempt, this.#effects.random)
    if (delay !== null && this.#progress.standing.failed === undefined)
      return this.#wait(call, failure, delay)
    const error = { code: failure.code, message: failure.message }
    this.#settle(call, { status: 'failed', outputs: null, error })
  }

  /** R5. While other steps are in flight the run stays in memory, so the wait is written down and timed here. */
  #wait(call: StepCall, failure: ReadFailure, delay: number): void {
    const { index, id, type } = call.node
    this.#takeOutOfFlight(call)
    this.#progress.standing.statuses[index] = 'waiting'
    const error = { code: failure.code, message: failure.message }
    const endedAt = this.#effects.wallClock()
    const wait = { node: id, type, attempts: call.attempt, endedAt, until: endedAt + delay, error }
    this.#progress.waiting.set(index, wait)
    this.#advance()
    if (this.#isOver || this.#inFlight.size === 0) return
    this.#checkpoint(this.#entry({ waiting: [wait] }))
    this.#lookAgainIn(delay, index)
  }

  /**
   * Whether the wait is over, the wall clock decides and not the timer: one may come a millisecond early by that clock,
   * and one for longer than timers can be set for does so by far.
   */
  #lookAgainIn(ms: number, index: number): void {
    const look = () => {
      if (this.#isOver || !this.#progress.waiting.has(index)) return
      this.#progress.ready.push(index)
      this.#advance()
    }
    this.#waits.push(this.#effects.startTimer(ms, look))
  }

  #settle(
    call: StepCall,
    result: Pick<StepRecord, 'outputs' | 'error'> & { status: 'succeeded' | 'failed' }
  ): void {
    const { node, attempt, messages } = call
    const { startedAt, since } = this.#takeOutOfFlight(call)
    const durationMs = Math.round((this.#effects.stopwatch() - since) * 1000) / 1000
    const { status, outputs, error } = result
    const facts = {
      node: node.id,
      type: node.type,
      status,
      attempts: attempt,
      startedAt,
      durationMs,
      outputs,
      error
    }
    const record: StepRecord = messages.length === 0 ? facts : { ...facts, messages }
    this.#progress.records[node.index] = record
    this.#unsaved.push(record)
    this.#progress.ready.push(...settle(this.#progress.standing, node.index, status).ready)
    this.#advance()
    if (node.effects === 'external' || this.#isSuspect) this.#saveResult()
  }

  #takeOutOfFlight(call: StepCall): Attempt {
    const attempt = this.#inFlight.get(call.node.index)!
    attempt.timer?.stop()
    this.#inFlight.delete(call.node.index)
    return attempt
  }

  /**
   * The checkpoint after a step that was written down. It is not waited for: a pure step that follows may be repeated,
   * and an external one waits for its own checkpoint, which is committed with or after this one. Where the run is
   * over, or a step that follows has taken the result into its own checkpoint, nothing is left to save.
   */
  #saveResult(): void {
    if (!this.#isOver && this.#unsaved.length > 0) this.#checkpoint(this.#entry())
  }

  #checkpoint(entry: JournalEntry): void {
    this.#effects.checkpoint(entry).then((isOurs) => {
      if (!isOurs) this.#lose()
    })
  }

  #park(): void {
    const { ready, waiting: waits } = this.#progress
    const waiting = [...waits.values()]
    // The service stops: a step that could have started is not to wait for one that could not.
    const isHeldUp = ready.some((index) => !waits.has(index))
    const dueAt = isHeldUp ? this.#effects.wallClock() : Math.min(...waiting.map((wait) => wait.until))
    this.#finish({ kind: 'parked', entry: this.#entry({ waiting }), dueAt })
  }

  #entry(news: Pick<JournalEntry, 'begun' | 'waiting'> = {}): JournalEntry {
    const settled = this.#unsaved
    this.#unsaved = []
    const base = { at: this.#effects.wallClock(), startedAt: this.#startedAt, ...news }
    return settled.length === 0 ? base : { ...base, settled }
  }

  /** R9: not when the run is over, the attempt timed out, or a later one has taken its place. */
  #isCurrent(call: StepCall): boolean {
    return !this.#isOver && this.#inFlight.get(call.node.index)?.call === call
  }

  #lose(): void {
    this.#abortAll(new StepError('The run has ended.', { code: 'run_cancelled', retryable: false }))
    this.#finish({ kind: 'lost' })
  }

  #abortAll(reason: Error): void {
    for (const { call, timer } of this.#inFlight.values()) {
      timer?.stop()
      call.abort.abort(reason)
    }
  }

  #end(status: EndStatus): void {
    if (status === 'failed') markNotReached(this.#progress.standing)
    const error = status === 'failed' ? runFailure(this.#progress) : null
    this.#finish({
      kind: 'ended',
      status,
      error,
      startedAt: this.#startedAt,
      steps: allRecords(this.#progress)
    })
  }

  #finish(ending: Ending): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const timer of this.#waits) timer.stop()
    this.#onEnd(ending)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}
