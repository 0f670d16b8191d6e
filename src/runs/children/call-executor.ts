import type { Clock } from '../../clock.ts'
import type { Effects, Ending } from '../../engine/effects.ts'
import { Execution } from '../../engine/execution.ts'
import { type JournalEntry, recall } from '../../engine/journal.ts'
import type { LazyAbort } from '../../engine/lazy-abort.ts'
import type { Plan } from '../../engine/plan.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import type { NewChild } from '../../store/children.ts'
import type { ExecutableRun, Outcome, RunStore } from '../../store/store.ts'
import { LiveText } from '../live-text/live-text.ts'
import { outcomeOf } from '../record/ended-outcome.ts'
import { runStartOf } from '../record/run-start.ts'
import { linkedScope } from '../steps/linked-scope.ts'
import { type JournalEffects, RunEffects } from '../steps/run-effects.ts'
import { RunOutputs } from '../steps/run-outputs.ts'
import type { RunScope } from '../steps/run-scope.ts'
import type { StepOfRun } from './children-deps.ts'
import { NO_CHILDREN, watchAs } from './item-executor.ts'

interface CallExecutorDeps {
  readonly store: Pick<RunStore, 'keepPiece' | 'readPiece'>
  readonly clock: Clock
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
}

interface CallToExecute {
  readonly child: NewChild
  readonly plan: Plan
  readonly given: GivenOutputs
  /** Of the agent's own answers hooks hear with the step that they are a part of. */
  readonly withoutHooks?: boolean
}

/** Whether a call can be executed where its agent is: it waits for nothing but its own attempts, and no hook is to hear of a run. */
export function isCalledInPlace({ nodes }: Plan, { onRunStart, onRunEnd }: RunScope): boolean {
  return (
    onRunStart.length === 0 &&
    onRunEnd.length === 0 &&
    nodes.every(({ component, retry }) => component.resume === undefined && retry.schedule === undefined)
  )
}

/**
 * Executes a call in the process of its agent, whose step is written down, and gives the outcome that a run in the store would have. It is
 * kept when it has ended: what a death cuts off is called again, with the same idempotency key.
 */
export class CallExecutor {
  readonly #step: StepOfRun
  readonly #deps: CallExecutorDeps

  constructor(step: StepOfRun, deps: CallExecutorDeps) {
    this.#step = step
    this.#deps = deps
  }

  async execute({ child, plan, given, withoutHooks = false }: CallToExecute): Promise<Outcome> {
    const { clock, store, persist } = this.#deps
    const { around, call } = this.#step
    const start = runStartOf(child)
    const run: ExecutableRun = { ...child, seq: this.#step.run.seq }
    const limits = around.scope.outputLimits
    const place = `${child.parent.node}/${child.parent.index}`
    const outputs = new RunOutputs({ run, start, limits, pacing: around.pacing, store, persist, place })
    const journal: JournalEntry[] = []
    const effects = this.#effects(run, outputs, { plan, place, journal, withoutHooks })
    const storedValues = [start.input, null]
    const toExecute = { plan, storedValues, trigger: child.trigger, given, isSuspect: false }
    for (;;) {
      // Nothing is asked any more for a step that was cancelled a moment ago.
      if (call.abort.reason !== undefined) throw call.abort.reason
      const { execution, ended } = begin(toExecute, journal, effects)
      const ending = await orAborted(ended, execution, call.abort)
      if (ending.kind === 'ended') return outcomeOf(ending, outputs, clock.now())
      if (ending.kind !== 'parked') throw new Error('the call has no end')
      journal.push(ending.entry)
      await this.#until(ending.dueAt ?? clock.now())
    }
  }

  /** The pause before its next attempt. */
  async #until(at: number): Promise<void> {
    const { clock } = this.#deps
    const { abort } = this.#step.call
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = clock.startTimer(Math.max(0, at - clock.now()), resolve)
    abort.signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    timer.stop()
    if (abort.reason !== undefined) throw abort.reason
  }

  #effects(
    run: ExecutableRun,
    outputs: RunOutputs,
    {
      plan,
      place,
      journal,
      withoutHooks
    }: {
      readonly plan: Plan
      readonly place: string
      readonly journal: JournalEntry[]
      readonly withoutHooks: boolean
    }
  ): Effects {
    const { clock, persist } = this.#deps
    const { around, call } = this.#step
    const { outside, pacing, textStreams } = around
    const scope = withoutHooks ? { ...around.scope, aroundStep: undefined } : around.scope
    const context =
      plan.linked === undefined ? scope : linkedScope(scope, plan.linked, run.id, outside.addresses)
    const inContext = {
      run,
      start: runStartOf(run),
      context,
      outputs,
      pacing,
      outside,
      liveText: new LiveText(run, textStreams),
      children: NO_CHILDREN,
      persist,
      newId: clock.newId,
      now: clock.now,
      place: { of: this.#step.run.id, name: place }
    }
    const watch = watchAs({ run: this.#step.run, call }, around.watch)
    return new RunEffects({ around: inContext, outputs, journal: inMemory(journal), watch, clock })
  }
}

interface Begun {
  readonly execution: Execution
  readonly ended: Promise<Ending>
}

function begin(
  toExecute: ConstructorParameters<typeof Execution>[0],
  journal: readonly JournalEntry[],
  effects: Effects
): Begun {
  const { promise: ended, resolve } = Promise.withResolvers<Ending>()
  const execution = new Execution(toExecute, recall(journal), effects, resolve)
  execution.start()
  return { execution, ended }
}

async function orAborted(ended: Promise<Ending>, execution: Execution, abort: LazyAbort): Promise<Ending> {
  const cancel = () => execution.cancel()
  if (abort.reason !== undefined) cancel()
  abort.signal.addEventListener('abort', cancel, { once: true })
  const ending = await ended
  abort.signal.removeEventListener('abort', cancel)
  if (abort.reason !== undefined) throw abort.reason
  return ending
}

/** Nothing of it is written before its end. */
function inMemory(journal: JournalEntry[]): JournalEffects {
  return {
    isStored: false,
    awaits() {},
    checkpoint: async (entry) => {
      journal.push(entry)
      return true
    },
    openWait: async () => false,
    closeWait: async () => ({ state: 'lost' })
  }
}
