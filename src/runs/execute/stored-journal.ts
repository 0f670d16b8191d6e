import type { NewWait, WaitNews } from '../../engine/effects.ts'
import type { JournalEntry } from '../../engine/journal.ts'
import type { ExecutableRun } from '../../store/store.ts'
import type { ChildrenOfRun } from '../children/children-of-run.ts'
import type { EncodedEntry } from '../record/journal-codec.ts'
import type { JournalEffects } from '../steps/run-effects.ts'
import { closeWait, openWait } from '../steps/step-waits.ts'
import type { ExecutorDeps } from './executing-run.ts'

/** Whoever executes the run writes its journal, and tells that it waits. */
export interface WritesJournal {
  awaits(isAwaiting: boolean): void
  /** Resolves to false when the run has ended elsewhere, or the service stops before the store takes the entry. */
  checkpoint(entry: JournalEntry, write?: (encoded: EncodedEntry) => Promise<number | null>): Promise<boolean>
  /** See RunWrites. */
  writeOwn<T>(write: () => Promise<T | null>): Promise<T | null>
}

/** The journal of a run that is in the store. */
export class StoredJournal implements JournalEffects {
  readonly isStored = true
  readonly #run: ExecutableRun
  readonly #writer: WritesJournal
  readonly #children: Pick<ChildrenOfRun, 'stepsSettled'>
  readonly #deps: ExecutorDeps

  constructor(
    {
      run,
      children
    }: { readonly run: ExecutableRun; readonly children: Pick<ChildrenOfRun, 'stepsSettled'> },
    writer: WritesJournal,
    deps: ExecutorDeps
  ) {
    this.#run = run
    this.#children = children
    this.#writer = writer
    this.#deps = deps
  }

  awaits(isAwaiting: boolean): void {
    this.#writer.awaits(isAwaiting)
  }

  checkpoint(entry: JournalEntry): Promise<boolean> {
    return this.#write(entry)
  }

  openWait(entry: JournalEntry, wait: NewWait): Promise<boolean> {
    return this.#write(entry, (encoded) => openWait(this.#run, encoded, wait, this.#deps))
  }

  closeWait(node: string): Promise<WaitNews> {
    return closeWait(this.#run, node, this.#deps, (write) => this.#writer.writeOwn(write))
  }

  async #write(...[entry, write]: Parameters<WritesJournal['checkpoint']>): Promise<boolean> {
    const isOurs = await this.#writer.checkpoint(entry, write)
    if (isOurs && entry.settled !== undefined) await this.#children.stepsSettled(entry.settled)
    return isOurs
  }
}
