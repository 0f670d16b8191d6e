import { MillraceError } from '../../errors.ts'
import type { ExecutableRun, Outcome } from '../../store/store.ts'
import { bareOutcome, isBare } from '../record/ended-outcome.ts'
import type { EncodedEntry } from '../record/journal-codec.ts'
import type { ExecutorDeps, NewsOfRun } from './executing-run.ts'
import { Reopenings } from './reopenings.ts'

export interface EndListener {
  /** `no` is null where the run had ended elsewhere. */
  endWritten(no: number | null, outcome: Outcome): void
  /** The service stops, or the store takes no end at all. */
  endRefused(): void
}

type Deps = Pick<ExecutorDeps, 'persist' | 'store' | 'publisher' | 'answers'>

/** What an execution writes of its run, for as long as the run is its own; who listens to the flow is told. */
export class RunWrites {
  readonly #run: ExecutableRun
  readonly #deps: Deps
  /** Somebody has ended it, and may open it again, or it is not held here any more. What is still to be written of it is of the past. */
  #isOthers = false
  #reopenings: Reopenings | undefined

  constructor(run: ExecutableRun, deps: Deps) {
    this.#run = run
    this.#deps = deps
  }

  notify(news: NewsOfRun): void {
    this.#isOthers ||= news === 'ended' || news === 'lost'
    if (news === 'reopening') this.#reopenings ??= new Reopenings(() => this.#reopeningsSettled())
    this.#reopenings?.notify(news)
  }

  /** The run is handed back. What was refused and is still to be tried again would come into its next life. */
  stop(): void {
    this.#isOthers = true
  }

  /** A store that refuses is asked again, maybe for long. Null where the run is not ours any more. */
  own<T>(write: () => Promise<T | null>): Promise<T | null> {
    return this.#deps.persist(() => this.#writeIfOurs(write))
  }

  /** False where the run is not ours any more. */
  async journal(
    encoded: EncodedEntry,
    write = ({ text, printed }: EncodedEntry) => this.#deps.store.checkpoint(this.#run, text, printed)
  ): Promise<boolean> {
    return this.#tellJournal(await this.own(() => write(encoded)), encoded)
  }

  /** False where the run is not ours any more. */
  async park(encoded: EncodedEntry, dueAt: number | null, awaits: readonly string[]): Promise<boolean> {
    const { store } = this.#deps
    const { text, printed } = encoded
    const no = await this.own(() => store.park(this.#run, text, dueAt, awaits, printed))
    return this.#tellJournal(no, encoded)
  }

  /** Where the store refuses this end for what is in it, only that the run failed is kept. */
  end(outcome: Outcome, listener: EndListener): void {
    this.own(() => this.#deps.store.end(this.#run, outcome)).then(
      (no) => listener.endWritten(no, outcome),
      (error) => {
        if (error instanceof MillraceError || isBare(outcome)) listener.endRefused()
        else this.end(bareOutcome(outcome, error), listener)
      }
    )
  }

  /** Where somebody opens the run again, only the store knows whether this belongs to a life that is over. */
  #writeIfOurs<T>(write: () => Promise<T | null>): Promise<T | null> {
    if (this.#isOthers) return Promise.resolve(null)
    if (this.#reopenings === undefined) return write()
    return this.#reopenings.settled.then(() => this.#writeIfOurs(write))
  }

  #reopeningsSettled(): void {
    this.#reopenings = undefined
  }

  #tellJournal(no: number | null, { text: entry, answer }: EncodedEntry): boolean {
    if (no === null) return false
    const { id: runId, flowId } = this.#run
    this.#deps.publisher.publish({ kind: 'journal', no, flowId, runId, entry })
    if (answer !== undefined && this.#run.parent === undefined) this.#deps.answers.answered(this.#run, answer)
    return true
  }
}
