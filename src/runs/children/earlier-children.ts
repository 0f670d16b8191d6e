import type { Clock } from '../../clock.ts'
import type { JournalEntry, WaitingStep } from '../../engine/journal.ts'
import type { Child, ChildRules } from '../../store/children.ts'
import type { ExecutableRun, RunStore, StoredRun } from '../../store/store.ts'
import { reopeningEntry } from '../record/reopening-entry.ts'
import { BATCH } from './items-in-place.ts'
import { entriesOf, triedAgain } from './tried-again.ts'

interface EarlierChildrenDeps {
  readonly store: Pick<RunStore, 'children' | 'closeWait' | 'get' | 'first' | 'reopenChildren'>
  readonly clock: Pick<Clock, 'now'>
  /** Tries a write until it is durable; rejects only when the service stops. */
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
  /** Children of this flow may be due. */
  readonly mayHaveDue: (flowIds: readonly string[]) => void
}

interface StartedBy {
  readonly run: ExecutableRun
  readonly node: string
  /** Everything else waits while there are many. */
  readonly pause: () => Promise<void> | undefined
}

/** So many are opened again at a time: each takes about 0.1 ms of a commit. With steps of megabytes, fewer. */
const REOPENED_AT_ONCE = 100
const REOPENED_BYTES = 4 * 1024 * 1024

/** The children that a step has started before: the process died before the step came to wait, or the step is tried again. */
export class EarlierChildren {
  readonly #by: StartedBy
  readonly #deps: EarlierChildrenDeps

  constructor(by: StartedBy, deps: EarlierChildrenDeps) {
    this.#by = by
    this.#deps = deps
  }

  /** Those that failed, or were cancelled with the step, go on from where they stopped. Resolves to the indexes of all. */
  async goOn(rules: ChildRules): Promise<ReadonlySet<number>> {
    const { store, persist, clock, mayHaveDue } = this.#deps
    const { run, node } = this.#by
    const known = new Set<number>()
    const standing = await persist(() => store.closeWait(run, node, clock.now()))
    // Where they wait again already, the process died in the midst of this: what failed since is a result of theirs.
    const again = triedAgain(await this.#entries(), this.#by.node)
    const before = standing.state === 'open' ? (again?.at ?? 0) : Number.POSITIVE_INFINITY
    const chosen = again?.items === undefined ? undefined : new Set(again.items)
    const flowIds = new Set<string>()
    for await (const page of this.pages()) {
      for (const { index } of page) known.add(index)
      const ended = page.filter(
        ({ outcome, index }) =>
          outcome !== null && outcome.status !== 'succeeded' && chosen?.has(index) !== false
      )
      if (before > 0) for (const flowId of await this.#reopen(ended, rules, before)) flowIds.add(flowId)
    }
    if (flowIds.size > 0) mayHaveDue([...flowIds])
    return known
  }

  /** Those from this index on that were cancelled with the run, before somebody retried it, go on from where they stopped. */
  async goOnCancelled(first: number, rules: ChildRules): Promise<void> {
    const retriedAt = await this.retriedAt()
    if (retriedAt === undefined) return
    const flowIds = new Set<string>()
    for await (const page of this.pages(first)) {
      const cancelled = page.filter(({ outcome }) => outcome?.status === 'cancelled')
      for (const flowId of await this.#reopen(cancelled, rules, retriedAt)) flowIds.add(flowId)
    }
    if (flowIds.size > 0) this.#deps.mayHaveDue([...flowIds])
  }

  /** When somebody last retried the run that had ended in the step. */
  async retriedAt(): Promise<number | undefined> {
    const isOfStep = ({ node }: WaitingStep) => node === this.#by.node
    const entries = await this.#entries()
    return entries.findLast(({ reopened, waiting = [] }) => reopened === true && waiting.some(isOfStep))?.at
  }

  async *pages(first = 0): AsyncGenerator<Child[]> {
    const { store, persist } = this.#deps
    const { run, node, pause } = this.#by
    for (let from = first; ; ) {
      const page = await persist(() => store.children(run.seq, node, from, BATCH))
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      from = last.index + 1
      await pause()
    }
  }

  /** Of its run. */
  async #entries(): Promise<readonly JournalEntry[]> {
    const { store, persist } = this.#deps
    const run = await persist(() => store.get(this.#by.run.id))
    return run === undefined ? [] : entriesOf(run)
  }

  /** Those that had ended by that moment. Resolves to their flows. */
  async #reopen(children: readonly Child[], rules: ChildRules, before: number): Promise<Set<string>> {
    const { store, persist } = this.#deps
    const flowIds = new Set<string>()
    let left = children.map(({ seq }) => seq)
    while (left.length > 0) {
      const seqs = left.slice(0, REOPENED_AT_ONCE)
      const runs = await persist(() => store.first(seqs, REOPENED_BYTES))
      await this.#reopenAll(
        runs.filter(({ outcome }) => outcome !== null && outcome.finishedAt <= before),
        rules
      )
      for (const { flowId } of runs) flowIds.add(flowId)
      left = left.slice(runs.length === 0 ? seqs.length : left.indexOf(runs.at(-1)!.seq) + 1)
      await this.#by.pause()
    }
    return flowIds
  }

  async #reopenAll(children: readonly StoredRun[], rules: ChildRules): Promise<void> {
    if (children.length === 0) return
    const { store, persist, clock } = this.#deps
    const { run, node } = this.#by
    const reopenings = children.map((child) => {
      return { run: child, index: child.parent!.index, ...reopeningEntry(child, clock.now()) }
    })
    await persist(() => store.reopenChildren(run, node, reopenings, rules))
  }
}
