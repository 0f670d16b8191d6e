import type { Clock } from '../../clock.ts'
import type { LibraryPart, ProcessFacts, Pulse, SharedStore, Signal } from '../../store/shared-store.ts'
import type { RunToEnd } from '../../store/store.ts'
import type { AnswerWatch } from '../answers/answer-watch.ts'
import type { Dispatch, Sharing, Work } from '../dispatch/dispatch.ts'
import type { EndedWatch } from '../dispatch/ended-watch.ts'
import { ChangeFeed } from './change-feed.ts'
import { RemoteAnswers } from './remote-answers.ts'
import { RemoteDispatch } from './remote-dispatch.ts'
import { RemoteEnds } from './remote-ends.ts'
import { SharedBacklog } from './shared-backlog.ts'
import type { SharedClock } from './shared-clock.ts'
import { SharedDispatcher } from './shared-dispatcher.ts'
import { SharedText } from './shared-text.ts'
import { Standstill } from './standstill.ts'
import { UnderWay } from './under-way.ts'

export interface MembershipDeps {
  readonly store: Pick<SharedStore, 'runs' | 'queue' | 'signals' | 'processes'>
  readonly clock: Clock
  /** See SharedClock. */
  readonly told?: SharedClock['told']
  readonly facts: ProcessFacts
  /** Whether this process executes runs. */
  readonly executes: boolean
  /** Brings what this process holds in memory up to date; these have changed elsewhere. */
  readonly onLibraryChange: (parts: ReadonlySet<LibraryPart>) => Promise<void>
  readonly onError: (error: unknown, doing: string) => void
}

/** How often a process says that it is alive, and looks for what no signal told it. */
const PULSE_MS = 1_000
/** Who was not heard by the database for so long was out of touch, whatever it came of. */
const OUT_OF_TOUCH_MS = 3_000
/**
 * While the database was away, or stood still, nobody could say that they are alive. When it is back, all have the
 * time for a heartbeat before anybody is held to be dead: else every run under way would be taken from who executes it.
 */
const BACK_IN_TOUCH_MS = 5_000

/**
 * This process among all that share the store: it hears signals, and once a second it says that it is alive and
 * looks for itself. One of them is the leader. Whatever a signal does is done by the next look too, only later.
 */
export class Membership implements Sharing {
  readonly #deps: MembershipDeps
  readonly news: ChangeFeed
  readonly text: SharedText
  readonly backlog: SharedBacklog
  readonly #standstill: Standstill
  #workers = 0
  #silent: number | undefined
  #ends: RemoteEnds | undefined
  #answers: RemoteAnswers | undefined
  #dispatcher: SharedDispatcher | undefined
  #isLeader = false
  #isStopped = false
  #isFailing = false
  readonly #underWay = new UnderWay()
  #lastContact: number | undefined
  #backSince = Number.NEGATIVE_INFINITY
  #timer: { stop(): void } | undefined
  #unlisten: (() => void) | undefined
  #seen: Readonly<Record<LibraryPart, number>> | undefined

  constructor(deps: MembershipDeps) {
    this.#deps = deps
    const { store, clock, onError } = deps
    this.news = new ChangeFeed({ store: store.runs, signals: store.signals, clock, onError })
    this.text = new SharedText({ signals: store.signals, clock })
    this.backlog = new SharedBacklog(clock)
    this.#standstill = new Standstill(clock)
  }

  /** Runs wait, and nobody takes one up: this process, or, where it executes none, any that does. */
  get standsStill(): boolean {
    return this.#deps.executes ? this.#standstill.isHere : this.#standstill.isInAll(this.#workers)
  }

  /** Whether this process does what has to be done once among all. */
  get isLeader(): boolean {
    return this.#isLeader
  }

  dispatch(work: Work, watch: EndedWatch): Dispatch {
    const { store, onError, executes, told = () => {} } = this.#deps
    const { queue, signals } = store
    const tellWork = (flowId: string) => signals.tell({ work: [flowId] })
    const tellToAsk = (runIds: readonly string[]) => {
      if (runIds.length === 0) return
      signals.tell({ cancel: runIds })
      void signals.flush()
    }
    const wantCancel = async (run: RunToEnd) => {
      const { claimedUnder: claim } = run
      const isClaimed = claim !== undefined && (await queue.wantCancel({ ...run, claim }))
      if (isClaimed) tellToAsk([run.id])
      return isClaimed
    }
    const tellWoken = (runId: string) => signals.tell({ woken: [runId] })
    this.#ends = new RemoteEnds({ queue, watch, onError })
    if (!executes) return new RemoteDispatch({ tellWork, wantCancel, tellToAsk, tellWoken })
    this.#dispatcher = new SharedDispatcher({
      ...work,
      queue,
      standstill: this.#standstill,
      told,
      tellWork,
      wantCancel,
      tellToAsk,
      tellWoken
    })
    return this.#dispatcher
  }

  followAnswers(watch: AnswerWatch): void {
    const { store, onError } = this.#deps
    this.#answers = new RemoteAnswers({ queue: store.queue, watch, onError })
  }

  tellAnswered(runId: string): void {
    this.#deps.store.signals.tell({ answered: [runId] })
  }

  /** From here on, what others save is brought in; `seen` is what was loaded. */
  async start(): Promise<void> {
    this.#unlisten = this.#deps.store.signals.listen((signal) => this.#hear(signal))
    await this.#underWay.add(this.#pulse())
    this.#pulseSoon()
  }

  /**
   * Gives back what is still claimed, and is not waited for by the others. Resolves when nothing is under way any more
   * that would reach into a closed store. A pulse that is goes first: after the leave-taking it would say that this
   * process is alive, and make it the leader again.
   */
  async leave(): Promise<void> {
    this.#isStopped = true
    this.#isLeader = false
    this.#unlisten?.()
    this.#timer?.stop()
    await this.#dispatcher?.letGo()
    await Promise.all([this.#underWay.over(), this.news.stop(), this.#ends?.stop(), this.#answers?.stop()])
    const { store, facts, onError } = this.#deps
    await store.processes
      .leave(facts.id)
      .catch((error) => onError(error, 'taking leave of the other processes'))
    await store.signals.flush()
  }

  #hear(signal: Signal): void {
    if (signal.missed) return this.#signalsMissed()
    if (signal.still && signal.from !== undefined) this.#standstill.stillElsewhere(signal.from)
    this.text.take(signal)
    if (signal.work !== undefined) this.#dispatcher?.mayHaveWork(signal.work)
    if (signal.cancel !== undefined) this.#dispatcher?.mayBeCancelled(signal.cancel)
    if (signal.answered !== undefined) this.#answers?.take(signal.answered)
    for (const runId of signal.woken ?? []) this.#dispatcher?.tellHere(runId, 'woken')
    if (signal.changed !== undefined) {
      this.news.take(signal.changed)
      this.#dispatcher?.mayHaveRoom(Object.keys(signal.changed))
      this.#ends?.look()
    }
    if (signal.saved !== undefined) this.#bringIn(signal.saved)
  }

  /** The connection was away: everything may have happened. */
  #signalsMissed(): void {
    this.#dispatcher?.mayAllBeWoken()
    this.#answers?.missed()
    void this.#underWay.add(this.#pulse()).finally(() => this.#pulseSoon())
  }

  /** One may be under way when a look asks for another: whichever ends last says when the next one is. */
  #pulseSoon(): void {
    this.#timer?.stop()
    if (this.#isStopped) return
    this.#timer = this.#deps.clock.startTimer(PULSE_MS, () => {
      void this.#underWay.add(this.#pulse()).finally(() => this.#pulseSoon())
    })
  }

  /** Never rejects: while the database is away, the next one tries. */
  async #pulse(): Promise<void> {
    const { store, facts, onError, clock, told } = this.#deps
    const askedAt = clock.stopwatch()
    try {
      const pulse = await store.processes.pulse(facts)
      told?.(pulse.at, askedAt)
      if (this.#isStopped) return
      this.#isLeader = pulse.isLeader
      this.#noteContact()
      this.#learn(pulse)
      if (this.#deps.executes && this.standsStill) store.signals.tell({ still: true })
      await this.#reclaimAbandoned(pulse.at)
      if (this.#isLeader) await store.processes.runMaintenance()
      await this.#dispatcher?.look()
      this.#isFailing = false
    } catch (error) {
      this.#isLeader = false
      // Once, and not every second for as long as it lasts.
      if (!this.#isFailing) onError(error, 'keeping in touch with the other processes')
      this.#isFailing = true
    }
  }

  #learn({ backlog, backlogAgeMs, lastChange, revisions, workers, silent }: Pulse): void {
    this.#workers = workers
    // It may have ended what runs here wait for, and died before it told them.
    if (silent > (this.#silent ?? silent)) this.#dispatcher?.mayAllBeWoken()
    this.#silent = silent
    this.backlog.counted(backlog, backlogAgeMs)
    this.news.look(lastChange)
    this.text.look()
    this.#ends?.look()
    this.#answers?.look()
    const changed = Object.entries(revisions).filter(([part, no]) => this.#seen?.[part as LibraryPart] !== no)
    this.#seen = revisions
    if (changed.length > 0) this.#bringIn(Object.fromEntries(changed))
  }

  #bringIn(parts: Readonly<Partial<Record<LibraryPart, number>>>): void {
    const { onLibraryChange, onError, store } = this.#deps
    const bringing = onLibraryChange(new Set(Object.keys(parts) as LibraryPart[])).then(
      () => {
        // Whoever saved it waits for this.
        store.signals.tell({ broughtIn: parts })
        void store.signals.flush()
      },
      (error) => {
        // The next pulse sees that something is missing, and tries again.
        this.#seen = undefined
        onError(error, 'bringing in what other processes saved')
      }
    )
    void this.#underWay.add(bringing)
  }

  #noteContact(): void {
    const now = this.#deps.clock.stopwatch()
    if (this.#lastContact !== undefined && now - this.#lastContact > OUT_OF_TOUCH_MS) this.#backSince = now
    this.#lastContact = now
  }

  /**
   * Every process looks, and not the leader alone: the leader may be among the dead, and until another one leads
   * nobody would take up what they had claimed.
   */
  async #reclaimAbandoned(inTouchAt: number): Promise<void> {
    if (this.#isStopped || this.#deps.clock.stopwatch() - this.#backSince < BACK_IN_TOUCH_MS) return
    const { queue, signals } = this.#deps.store
    const flowIds = await queue.reclaimAbandoned(inTouchAt)
    if (flowIds.length === 0) return
    signals.tell({ work: flowIds })
    this.#dispatcher?.mayHaveWork(flowIds)
  }
}
