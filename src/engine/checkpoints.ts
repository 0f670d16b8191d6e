import type { Effects, NewWait, StepCall } from './effects.ts'
import type { JournalEntry, WaitingStep } from './journal.ts'
import { timeReadBy } from './plan-references.ts'
import type { StepRecord } from './step-record.ts'

type News = Pick<JournalEntry, 'begun' | 'left' | 'waiting' | 'woken' | 'isParked'>

/** What a run writes down on its way. Whatever has settled since the last entry goes with the next one. */
export class Checkpoints {
  readonly #effects: Effects
  readonly #startedAt: number
  /** Records that no entry holds yet. */
  #unsaved: StepRecord[] = []
  /** Made for the first: a run of pure steps saves nothing on its way. */
  #saves: Set<Promise<boolean>> | undefined

  constructor(effects: Effects, startedAt: number) {
    this.#effects = effects
    this.#startedAt = startedAt
  }

  get isUpToDate(): boolean {
    return this.#unsaved.length === 0
  }

  /** A step has failed, and no entry says so yet. */
  get lackFailure(): boolean {
    return this.#unsaved.some(({ status }) => status === 'failed')
  }

  /** Whether all that has happened is in some entry, the start as well. */
  get isTold(): boolean {
    return this.#saves !== undefined && this.isUpToDate
  }

  /**
   * Resolves when all that is being saved is durable; to false as in `save`. One that was refused is tried again while later
   * ones pass it by, so the last of them does not tell.
   */
  get underWay(): Promise<boolean> | undefined {
    if (this.#saves === undefined || this.#saves.size === 0) return undefined
    return Promise.all(this.#saves).then((areOurs) => areOurs.every(Boolean))
  }

  add(record: StepRecord): void {
    this.#unsaved.push(record)
  }

  /** Resolves when it is durable; to false when the run has ended elsewhere meanwhile. */
  save(news: News = {}): Promise<boolean> {
    return this.#follow(this.#effects.checkpoint(this.entry(news)))
  }

  /**
   * An attempt begins. What ended a wait before it without a word from outside is in no journal yet: forgotten, the step
   * would wait a second time. Resolves when all that was saved before is durable, too: the step acts on those results, and
   * after a death they would be made anew, with this step already done.
   */
  begin(call: StepCall): Promise<boolean> {
    const { node, attempt, woken } = call
    const begun = [{ node: node.id, type: node.type, attempt, ...timeReadBy(call) }]
    const isSilent = woken?.by === 'time' || woken?.by === 'children'
    const save = this.save(isSilent ? { begun, woken: [{ node: node.id, ...woken }] } : { begun })
    return this.#saves!.size === 1 ? save : this.underWay!
  }

  /** Others are told of the wait, so all that was saved before it is to be durable by then. */
  openWait(step: WaitingStep, wait: NewWait): Promise<boolean> {
    const before = this.underWay
    // What has settled goes with this one, also where it is written later.
    const entry = this.entry({ waiting: [step] })
    const open = () => this.#effects.openWait(entry, wait)
    return this.#follow(before === undefined ? open() : before.then((areOurs) => areOurs && open()))
  }

  #follow(save: Promise<boolean>): Promise<boolean> {
    this.#saves ??= new Set()
    const saves = this.#saves.add(save)
    save.then(() => saves.delete(save))
    return save
  }

  entry(news: News = {}): JournalEntry {
    const settled = this.#unsaved
    this.#unsaved = []
    const base = { at: this.#effects.wallClock(), startedAt: this.#startedAt, ...news }
    return settled.length === 0 ? base : { ...base, settled }
  }
}
