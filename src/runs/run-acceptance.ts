import type { Clock } from '../clock.ts'
import { WHOLE } from '../engine/plan-test.ts'
import type { MillraceError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import type { Delivery } from '../store/deliveries.ts'
import type { Acceptance, AcceptedRun, RunStore } from '../store/store.ts'
import type { TriggerEvent } from '../store/triggers.ts'
import type { Backlog, Dispatch } from './dispatch/dispatch.ts'
import { writeScope } from './execute/test-plan.ts'
import type { RunNews } from './present/run-news.ts'
import { isToBeHeld, newRun, type Start, type TestStart } from './record/new-run.ts'
import { backlogFull, flowPaused, stopping } from './run-refusals.ts'

interface AcceptanceDeps {
  readonly store: Pick<RunStore, 'accept' | 'acceptOnce' | 'acceptEvent' | 'acceptTest'>
  readonly clock: Clock
  readonly backlog: Backlog
  readonly backlogLimit: number
  readonly dispatcher: Pick<Dispatch, 'offer'>
  readonly news: Pick<RunNews, 'hasListeners' | 'publish'>
  readonly files: Pick<Files, 'letGo' | 'stored' | 'refused'>
}

/** Takes runs in: refuses what there is no room for, makes the rest durable, and offers it to whoever executes it. */
export class RunAcceptance {
  readonly #deps: AcceptanceDeps
  #isStopped = false

  constructor(deps: AcceptanceDeps) {
    this.#deps = deps
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Resolves when the run is durable. It begins as soon as there is room. */
  start(start: Start): Promise<AcceptedRun> {
    const refusal = this.#refusal(start)
    if (refusal !== undefined) return this.#refuse(start, refusal)
    const { backlog, store, clock } = this.#deps
    backlog.accepting()
    return store.accept(newRun(start, clock)).then(
      (run) => {
        backlog.accepted(run.isPaused !== true)
        if (start.files === undefined) return this.#accepted(run)
        return this.#deps.files.stored(start.files).then(() => this.#accepted(run))
      },
      (error) => {
        backlog.accepted(false)
        return this.#notStored(start, error)
      }
    )
  }

  /** Tries a document out that is not live: the run is marked as a test, and keeps it. */
  async startTest({ document, scope = WHOLE, ...test }: TestStart): Promise<AcceptedRun> {
    const start: Start = { ...test, beginsWhilePaused: true }
    const refusal = this.#refusal(start)
    if (refusal !== undefined) return this.#refuse(start, refusal)
    const { backlog, store, clock } = this.#deps
    backlog.accepting()
    let run: AcceptedRun | undefined
    try {
      run = await this.#write(
        start,
        store.acceptTest(newRun(start, clock), JSON.stringify(document), writeScope(scope))
      )
    } finally {
      backlog.accepted(run !== undefined)
    }
    await this.#stored(start)
    return this.#accepted(run)
  }

  /** As `start`, unless one of its deliveries has started another run within a day: then this starts nothing. */
  async startOnce(start: Start, deliveries: readonly Delivery[]): Promise<Acceptance> {
    const refusal = this.#refusal(start)
    if (refusal !== undefined) return this.#refuse(start, refusal)
    const { backlog, store, clock } = this.#deps
    backlog.accepting()
    let run: AcceptedRun | undefined
    try {
      const acceptance = await this.#write(start, store.acceptOnce(newRun(start, clock), deliveries))
      await this.#stored(start)
      if (acceptance.verdict === 'accepted') run = this.#accepted(acceptance.run)
      return acceptance
    } finally {
      backlog.accepted(run !== undefined && run.isPaused !== true)
    }
  }

  /** As `start`, unless the trigger of its node has got as far already: then this starts nothing. */
  async startEvent(start: Start, event: TriggerEvent): Promise<AcceptedRun | undefined> {
    const refusal = this.#refusal(start)
    if (refusal !== undefined) return this.#refuse(start, refusal)
    const { backlog, store, clock } = this.#deps
    backlog.accepting()
    let run: AcceptedRun | undefined
    try {
      run = await this.#write(start, store.acceptEvent(newRun(start, clock), event))
      await this.#stored(start)
      return run && this.#accepted(run)
    } finally {
      backlog.accepted(run !== undefined && run.isPaused !== true)
    }
  }

  /** A run that another one has started, and whose turn it is: with its parent it was let in. */
  childAccepted(run: AcceptedRun): void {
    if (run.isPaused !== true) this.#deps.backlog.entered()
    this.#accepted(run)
  }

  #refusal(start: Start): MillraceError | undefined {
    if (this.#isStopped) return stopping()
    if (isToBeHeld(start)) return start.flow.paused?.mode === 'refuse' ? flowPaused() : undefined
    const { backlog, backlogLimit } = this.#deps
    return backlog.count < backlogLimit ? undefined : backlogFull(backlog.count)
  }

  /** As the store does. */
  #write<T>(start: Start, written: Promise<T>): Promise<T> {
    return start.files === undefined ? written : written.catch((error) => this.#notStored(start, error))
  }

  async #notStored({ files = [] }: Start, error: unknown): Promise<never> {
    await this.#deps.files.refused(files)
    throw error
  }

  /** What came with it goes. */
  async #refuse({ files = [] }: Start, refusal: MillraceError): Promise<never> {
    await this.#deps.files.letGo(files)
    throw refusal
  }

  /** Before anybody executes it. Bytes that no row has come to name, as of a delivery that came again, go as well. */
  async #stored({ files }: Start): Promise<void> {
    if (files !== undefined) await this.#deps.files.stored(files)
  }

  #accepted(run: AcceptedRun): AcceptedRun {
    const { news, dispatcher } = this.#deps
    if (news.hasListeners(run.flowId)) {
      news.publish({ kind: 'accepted', no: run.seq, flowId: run.flowId, run })
    }
    if (run.isPaused !== true) dispatcher.offer(run)
    return run
  }
}
