import type { Effects, StepCall } from './effects.ts'
import type { JournalEntry } from './journal.ts'
import type { StepRecord } from './step-record.ts'

type News = Pick<JournalEntry, 'begun' | 'left' | 'waiting' | 'woken' | 'isParked'>

/** What a run writes down on its way. Whatever has settled since the last entry goes with the next one. */
export class Checkpoints {
  readonly #effects: Effects
  readonly #startedAt: number
  /** Records that no entry holds yet. */
  #unsaved: StepRecord[] = []

  constructor(effects: Effects, startedAt: number) {
    this.#effects = effects
    this.#startedAt = startedAt
  }

  get isUpToDate(): boolean {
    return this.#unsaved.length === 0
  }

  add(record: StepRecord): void {
    this.#unsaved.push(record)
  }

  /** Resolves when it is durable; to false when the run has ended elsewhere meanwhile. */
  save(news: News = {}): Promise<boolean> {
    return this.#effects.checkpoint(this.entry(news))
  }

  /**
   * An attempt begins. What ended a wait before it without a word from outside is in no journal yet: forgotten, the step
   * would wait a second time.
   */
  begin({ node, attempt, woken }: StepCall): Promise<boolean> {
    const begun = [{ node: node.id, type: node.type, attempt }]
    const isSilent = woken?.by === 'time' || woken?.by === 'children'
    return this.save(isSilent ? { begun, woken: [{ node: node.id, ...woken }] } : { begun })
  }

  entry(news: News = {}): JournalEntry {
    const settled = this.#unsaved
    this.#unsaved = []
    const base = { at: this.#effects.wallClock(), startedAt: this.#startedAt, ...news }
    return settled.length === 0 ? base : { ...base, settled }
  }
}
