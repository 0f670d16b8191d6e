import { MillraceError } from '../../errors.ts'
import { fileIdsIn, mayNameFiles } from '../../flows/file-ids.ts'
import type { ExecutableRun, Outcome, RunRef } from '../../store/store.ts'
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

type Deps = Pick<ExecutorDeps, 'persist' | 'store' | 'publisher' | 'answers' | 'outside'>

/** What an execution writes of its run, for as long as the run is its own; who listens to the flow is told. */
export class RunWrites {
  readonly #run: ExecutableRun
  readonly #deps: Deps
  /** The context that its flow lives in; undefined where none of its steps has begun. */
  context: string | undefined
  /** Files that it names, as far as they were found in what was written. */
  #named: Set<string> | undefined
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
    write = ({ text, printed }: EncodedEntry) => this.#deps.store.checkpoint(this.#ref, text, printed)
  ): Promise<boolean> {
    const no = await this.own(() => this.#naming(encoded.text, () => write(encoded)))
    return this.#tellJournal(no, encoded)
  }

  /** False where the run is not ours any more. */
  async park(encoded: EncodedEntry, dueAt: number | null, awaits: readonly string[]): Promise<boolean> {
    const { store } = this.#deps
    const { text, printed } = encoded
    const write = () => store.park(this.#run, text, dueAt, awaits, printed)
    return this.#tellJournal(await this.own(() => this.#naming(text, write)), encoded)
  }

  /** Where the store refuses this end for what is in it, only that the run failed is kept. */
  end(outcome: Outcome, listener: EndListener): void {
    this.own(() => this.#naming(outcome.steps, () => this.#deps.store.end(this.#ref, outcome))).then(
      (no) => listener.endWritten(no, outcome),
      (error) => {
        if (error instanceof MillraceError || isBare(outcome)) listener.endRefused()
        else this.end(bareOutcome(outcome, error), listener)
      }
    )
  }

  /** A file that steps have put out is there for as long as the run is: it is named before that is written. */
  #naming<T>(text: string, write: () => Promise<T>): Promise<T> {
    return mayNameFiles(text) ? this.#nameFiles(text).then(write) : write()
  }

  async #nameFiles(text: string): Promise<void> {
    const { context } = this
    if (context === undefined) return
    this.#named ??= new Set()
    const ids = fileIdsIn(text).filter((id) => !this.#named!.has(id))
    if (ids.length === 0) return
    await this.#deps.outside.files.nameFound({ run: this.#run, context }, ids)
    for (const id of ids) this.#named.add(id)
  }

  /** Where somebody opens the run again, only the store knows whether this belongs to a life that is over. */
  #writeIfOurs<T>(write: () => Promise<T | null>): Promise<T | null> {
    if (this.#isOthers) return Promise.resolve(null)
    if (this.#reopenings === undefined) return write()
    return this.#reopenings.settled.then(() => this.#writeIfOurs(write))
  }

  get #ref(): RunRef {
    const run = this.#run
    return this.#deps.answers.isAwaited(run.id) ? { ...run, isAwaited: true } : run
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
