import type { Clock } from '../../clock.ts'
import type { Effects, Ending, StepCall } from '../../engine/effects.ts'
import { Execution } from '../../engine/execution.ts'
import { EMPTY_JOURNAL } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import { StepError } from '../../engine/step-error.ts'
import type { NewChild } from '../../store/children.ts'
import type { ExecutableRun, Outcome, RunStore } from '../../store/store.ts'
import { LiveText } from '../live-text/live-text.ts'
import type { TextStreams } from '../live-text/text-streams.ts'
import { outcomeOf } from '../record/ended-outcome.ts'
import { runStartOf } from '../record/run-start.ts'
import { linkedScope } from '../steps/linked-scope.ts'
import type { Pacing } from '../steps/pacing.ts'
import { type JournalEffects, RunEffects } from '../steps/run-effects.ts'
import type { Outside, RunInContext } from '../steps/run-in-context.ts'
import { RunOutputs } from '../steps/run-outputs.ts'
import type { RunScope } from '../steps/run-scope.ts'
import type { StepWatch } from '../steps/step-watch.ts'
import { givenInside } from './run-result.ts'

/** What steps find around them, in the run of the parent as in that of an item. */
export interface Surroundings {
  readonly scope: RunScope
  readonly outside: Outside
  readonly textStreams: TextStreams
  readonly watch: StepWatch
  readonly pacing: Pacing
}

interface ItemExecutorDeps {
  readonly around: Surroundings
  readonly store: Pick<RunStore, 'readPiece'>
  readonly clock: Clock
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
}

/** Whose items they are. */
interface ParentStep {
  readonly run: ExecutableRun
  readonly call: StepCall
}

/** Undefined: it takes a run in the store to execute it. */
type Executed = Outcome | undefined

/**
 * Whether items of this region can be executed where their parent is: nothing reaches outside or waits, so an item that a crash
 * cuts off is executed again, and no hook is to hear of the beginning or the end of a run that is not in the store.
 */
export function isExecutedInPlace(region: Plan, { onRunStart, onRunEnd }: RunScope): boolean {
  return (
    onRunStart.length === 0 &&
    onRunEnd.length === 0 &&
    region.nodes.every(({ effects, component }) => effects === 'pure' && component.resume === undefined)
  )
}

/**
 * Executes items of a region without a run in the store, and gives the outcome that such a run would have. What only a stored run can do ends
 * the attempt without one: to keep a long value, or to wait.
 */
export class ItemExecutor {
  readonly #parent: ParentStep
  readonly #region: Plan
  readonly #given: GivenOutputs
  readonly #deps: ItemExecutorDeps
  readonly #watch: StepWatch
  #current: Execution | undefined

  constructor(parent: ParentStep, region: Plan, given: GivenOutputs, deps: ItemExecutorDeps) {
    this.#parent = parent
    this.#region = region
    this.#given = given
    this.#deps = deps
    this.#watch = watchAs(parent, deps.around.watch)
  }

  /** Whoever is under way ends as cancelled. */
  cancel(): void {
    this.#current?.cancel()
  }

  /** Steps without effects usually come back at once, and then so does this. */
  execute(child: NewChild): Executed | Promise<Executed> {
    let ending: Ending | undefined
    let wake: ((ending: Ending) => void) | undefined
    const start = runStartOf(child)
    const { pacing } = this.#deps.around
    const { clock, store, persist } = this.#deps
    const run: ExecutableRun = { ...child, seq: this.#parent.run.seq }
    const { outputLimits: limits } = this.#deps.around.scope
    const outputs = new RunOutputs({
      run,
      start,
      limits,
      pacing,
      store: { ...NO_ROOM, readPiece: store.readPiece },
      persist
    })
    const { node, index } = child.parent
    const given = new Map(this.#given).set(node, givenInside(child.trigger, start.input, index))
    const toExecute = {
      plan: this.#region,
      storedValues: [start.input, null],
      trigger: child.trigger,
      given,
      isSuspect: false
    }
    const execution = new Execution(toExecute, EMPTY_JOURNAL, this.#effects(run, start, outputs), (end) => {
      this.#current = undefined
      ending = end
      wake?.(end)
    })
    const executed = (end: Ending): Executed =>
      end.kind === 'ended' ? outcomeOf(end, outputs, clock.now()) : undefined
    this.#current = execution
    execution.start()
    if (ending !== undefined) return executed(ending)
    return new Promise<Ending>((resolve) => {
      wake = resolve
    }).then(executed)
  }

  #effects(run: ExecutableRun, start: RunInContext['start'], outputs: RunOutputs): Effects {
    const { clock, around, persist } = this.#deps
    const { outside, pacing, scope, textStreams } = around
    const { linked } = this.#region
    const context = linked === undefined ? scope : linkedScope(scope, linked, run.id, outside.addresses)
    const { newId, now } = clock
    const liveText = new LiveText(run, textStreams)
    const inContext: RunInContext = {
      run,
      start,
      context,
      outputs,
      pacing,
      outside,
      liveText,
      children: NO_CHILDREN,
      persist,
      newId,
      now
    }
    return new RunEffects({ around: inContext, outputs, journal: NOT_STORED, watch: this.#watch, clock })
  }
}

/** There is no run that a piece of a long value could belong to. */
const NO_ROOM = { keepPiece: async () => false }

const NOT_STORED: JournalEffects = {
  isStored: false,
  awaits() {},
  checkpoint: async () => false,
  openWait: async () => false,
  closeWait: async () => ({ state: 'lost' })
}

export const NO_CHILDREN: RunInContext['children'] = {
  of() {
    throw new StepError(
      "It starts runs, and says that it is pure: leave effects: 'pure' out of the component.",
      { code: 'pure_component', retryable: false }
    )
  }
}

/** Should an item hold the thread, it is the step of its parent that did. That one is in the store. */
export function watchAs({ run, call }: ParentStep, watch: StepWatch): StepWatch {
  const { seq } = run
  const { index } = call.node
  return {
    began: () => watch.began(seq, index),
    left: () => watch.left(),
    waits: (_seq, _index, promise) => watch.waits(seq, index, promise)
  }
}
