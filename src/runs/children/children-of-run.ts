import type { StepCall } from '../../engine/effects.ts'
import type { JournalState } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import type { EndStatus, ExecutableRun } from '../../store/store.ts'
import type { RunOutputs } from '../steps/run-outputs.ts'
import type { ChildrenDeps, StepOfRun } from './children-deps.ts'
import { orphanChildren } from './drop-children.ts'
import type { Surroundings } from './item-executor.ts'
import { StepChildren } from './step-children.ts'

interface ParentRun {
  readonly run: ExecutableRun
  readonly plan: Plan
  readonly outputs: Pick<RunOutputs, 'left'>
  readonly around: Surroundings
}

/** The runs that the steps of one run start. */
export class ChildrenOfRun {
  readonly #parent: ParentRun
  readonly #deps: ChildrenDeps
  /** Since it is in memory, a step of it has had to do with children; one that waits for them is asked as soon as it is. */
  #hasSome = false
  /** Those steps, since then. */
  #parents: Set<string> | undefined

  constructor(parent: ParentRun, deps: ChildrenDeps) {
    this.#parent = parent
    this.#deps = deps
  }

  of(call: StepCall, secrets?: StepOfRun['secrets']): StepChildren {
    this.#hasSome = true
    this.#parents ??= new Set()
    this.#parents.add(call.node.id)
    const { run, plan, outputs, around } = this.#parent
    const pacer = around.pacing.beginItems(call.abort)
    return new StepChildren(
      {
        run,
        plan,
        call,
        around,
        outputLimit: outputs.left,
        pause: () => pacer.pause(),
        ...(secrets && { secrets })
      },
      this.#deps
    )
  }

  /** No step of it has had to do with any, so its end concerns none. */
  get hasNone(): boolean {
    return !this.#hasSome
  }

  /** A step of the run waits for children. */
  hasSome(): void {
    this.#hasSome = true
  }

  /**
   * The run goes on after steps that have settled, which is durable. One that failed, as one that ran out of time, may leave children
   * that go on: nobody waits for them any more. Resolves when they are to end, which the run cannot say once it is parked and another
   * process may have it; undefined where there are none.
   */
  stepsSettled(records: readonly Pick<StepRecord, 'node' | 'status'>[]): Promise<void> | undefined {
    if (this.#parents === undefined) return undefined
    const failed = records.filter(({ node, status }) => status === 'failed' && this.#parents!.has(node))
    return failed.length === 0 ? undefined : this.#leaveAlone(failed.map(({ node }) => node))
  }

  async #leaveAlone(nodes: readonly string[]): Promise<void> {
    const { persist, cancelOrphaned } = this.#deps
    const { run } = this.#parent
    try {
      for (const node of nodes) await orphanChildren(run, node, this.#deps)
    } catch {
      // The service stops: they end with the run.
      return
    }
    persist(() => cancelOrphaned(run)).catch(() => {})
  }

  /** The store has made those due that nobody waits for any more; what goes on is told to stop. */
  parentEnded(status: EndStatus): void {
    if (!this.#hasSome) return
    this.#deps.outside.forget(this.#parent.run.seq)
    if (status === 'succeeded') return
    const { persist, cancelOrphaned } = this.#deps
    // When the service stops first, whoever takes one of them up finds it orphaned all the same.
    persist(() => cancelOrphaned(this.#parent.run)).catch(() => {})
  }
}

/** A run that comes back to memory waits for some. */
export function waitsForChildren({ waiting }: JournalState): boolean {
  return waiting.size > 0 && waiting.values().some(({ wait }) => wait?.kind === 'children')
}
