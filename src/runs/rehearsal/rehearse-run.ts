import type { Clock } from '../../clock.ts'
import type { StepCall } from '../../engine/effects.ts'
import { Execution } from '../../engine/execution.ts'
import { EMPTY_JOURNAL } from '../../engine/journal.ts'
import type { LazyAbort } from '../../engine/lazy-abort.ts'
import type { Plan } from '../../engine/plan.ts'
import type { GivenOutputs } from '../../engine/progress.ts'
import type { Outputs, RunFailure } from '../../engine/step-record.ts'
import { inTurns } from '../../flows/in-turns.ts'
import type { ExecutableRun, RunStore, StoredRun } from '../../store/store.ts'
import { givenInside, ITEM_TRIGGER } from '../children/run-result.ts'
import { NO_LIVE_TEXT } from '../live-text/live-text.ts'
import { type RunStart, runStartInTurns, runStartOf } from '../record/run-start.ts'
import { linkedScope } from '../steps/linked-scope.ts'
import type { Pacing } from '../steps/pacing.ts'
import type { JournalEffects } from '../steps/run-effects.ts'
import type { Outside, RunInContext } from '../steps/run-in-context.ts'
import { RunOutputs } from '../steps/run-outputs.ts'
import type { RunScope } from '../steps/run-scope.ts'
import type { StepWatch } from '../steps/step-watch.ts'
import { type Finding, findingOf, type RehearsedRun } from './finding.ts'
import { RecordedRun } from './recorded-run.ts'
import { RehearsedEffects } from './rehearsed-effects.ts'
import { RehearsedItems } from './rehearsed-items.ts'
import { outsideOf } from './same-step.ts'

interface RehearseDeps {
  readonly clock: Clock
  readonly scopeOf: (context: string) => RunScope
  readonly outside: Outside
  readonly pacing: Pacing
  readonly watch: StepWatch
  readonly store: Pick<RunStore, 'readPiece' | 'children' | 'get'>
  readonly planOf: (run: ExecutableRun) => Plan | Promise<Plan>
}

/** A run that has ended, and what it is to be run on. */
export interface ToRehearse {
  readonly run: StoredRun
  readonly plan: Plan
  /** What it is held against; absent: what the run did. */
  readonly expected?: { readonly plan: Plan; readonly steps: string }
}

export interface Rehearsed {
  readonly finding: Finding
  /** What they came to. */
  readonly steps: RehearsedRun['steps']
  readonly start: RunStart
}

interface Part {
  readonly plan: Plan
  readonly recorded: RecordedRun
  readonly start: RunStart
  readonly trigger: string
  readonly given?: GivenOutputs
}

/**
 * Runs a plan on what started a run that has ended, in memory: nothing of it is stored, nothing acts, and nobody hears of it. Steps see
 * the run that it was, at the time when it was.
 */
export async function rehearseRun(
  { run, plan, expected }: ToRehearse,
  deps: RehearseDeps,
  abort: LazyAbort
): Promise<Rehearsed> {
  const { outcome, trigger } = run
  if (outcome === null) throw new Error(`the run ${run.id} has not ended, and cannot be rehearsed`)
  const start = await inTurns(runStartInTurns(run), deps.pacing.begin(abort))
  const ran = await deps.planOf(run)
  const readPiece: RunStore['readPiece'] = (...place) => deps.store.readPiece(...place)
  const read = (of: Plan, steps: string) =>
    RecordedRun.read({ plan: of, trigger, start, outcome: { ...outcome, steps } }, readPiece)
  const recorded = await read(ran, outcome.steps)
  const against = expected && (await read(expected.plan, expected.steps))
  const { finding, steps } = await new Rehearsal(run, deps, abort).play(
    { plan, recorded, start, trigger },
    against
  )
  return { finding, steps, start }
}

class Rehearsal {
  readonly #run: StoredRun
  readonly #deps: RehearseDeps
  readonly #abort: LazyAbort

  constructor(run: StoredRun, deps: RehearseDeps, abort: LazyAbort) {
    this.#run = run
    this.#deps = deps
    this.#abort = abort
  }

  async play(part: Part, against?: RecordedRun): Promise<RehearsedRun & { readonly finding: Finding }> {
    const { plan, recorded, start, trigger, given } = part
    const inside: Inside = { unknown: undefined, first: undefined }
    const effects = this.#effects(part, inside)
    const toExecute = {
      plan,
      trigger,
      storedValues: [start.input, start.request],
      isSuspect: false,
      ...(given && { given })
    }
    const ended = await new Promise<RehearsedRun>((resolve) => {
      const execution = new Execution(toExecute, EMPTY_JOURNAL, effects, (ending) => {
        if (ending.kind === 'ended' && ending.status !== 'cancelled')
          resolve({ status: ending.status, error: ending.error, steps: ending.steps })
        else resolve({ status: 'failed', error: NOT_ENDED, steps: [] })
      })
      this.#abort.signal.addEventListener('abort', () => execution.cancel(), { once: true })
      execution.start()
    })
    const { error, steps } = ended
    const { unknown, blurred } = effects
    // What was expected of items is in what their For each gives.
    const isInside = against === undefined ? inside.first : undefined
    const now = { plan, steps, error, unknown, blurred, inside: isInside }
    const finding = await inTurns(findingOf(against ?? recorded, now), this.#deps.pacing.begin(this.#abort))
    return { ...ended, finding }
  }

  #effects(part: Part, inside: Inside): RehearsedEffects {
    const { clock, pacing, watch } = this.#deps
    const { plan, recorded } = part
    const outputs = this.#outputs(part)
    const around: RunInContext = {
      ...this.#around(part, outputs),
      children: { of: (call) => this.#items(call, part, effects, inside) }
    }
    const effects = new RehearsedEffects(
      { around, outputs, journal: NOT_WRITTEN, watch: watchOfNobody(watch), clock: this.#clock(clock) },
      { plan, recorded, pacerOf: ({ abort }) => pacing.begin(abort), inside }
    )
    return effects
  }

  #around({ plan, start }: Part, outputs: RunOutputs): Omit<RunInContext, 'children'> {
    const { clock, outside, pacing, scopeOf } = this.#deps
    const run = this.#run
    const scope = scopeOf(plan.context)
    const { linked } = plan
    const context = linked === undefined ? scope : linkedScope(scope, linked, run.id, outside.addresses)
    const { newId } = clock
    const { now } = this.#clock(clock)
    const persist: RunInContext['persist'] = (ask) => ask()
    return { run, start, context, outputs, pacing, outside, liveText: NO_LIVE_TEXT, persist, newId, now }
  }

  #outputs({ plan, start }: Part): RunOutputs {
    const { pacing, scopeOf } = this.#deps
    const store = { keepPiece: async () => true, readPiece: async () => undefined }
    const { outputLimits: limits } = scopeOf(plan.context)
    return new RunOutputs({ run: this.#run, start, limits, pacing, store, persist: (write) => write() })
  }

  #items(call: StepCall, part: Part, effects: RehearsedEffects, inside: Inside): RehearsedItems {
    const region = part.plan.regions.get(call.node.id)
    const rehearse = async (of: Plan, item: unknown, index: number): Promise<RehearsedRun> => {
      const played = await this.play(await this.#itemOf(part, { call, region: of, item, index }, effects))
      const { finding } = played
      if (finding.verdict === 'unknown') inside.unknown ??= finding
      if (finding.verdict === 'different') inside.first ??= finding
      return played
    }
    return new RehearsedItems({ call, region, rehearse, now: this.#clock(this.#deps.clock).now })
  }

  async #itemOf(
    { recorded }: Part,
    { call, region, item, index }: { call: StepCall; region: Plan; item: unknown; index: number },
    effects: RehearsedEffects
  ): Promise<Part> {
    const { id } = call.node
    const start: RunStart = { input: item as RunStart['input'], request: null }
    const given = givenTo(region, start, (node) => effects.outputsOf(node))
    const ran = recorded.plan.regions.get(id) ?? region
    const child = await this.#itemThen(id, index)
    const began = child === undefined ? start : runStartOf(child)
    const itemThen = await RecordedRun.read(
      {
        plan: ran,
        trigger: ITEM_TRIGGER,
        start: began,
        outcome: child?.outcome ?? NO_OUTCOME,
        given: givenTo(ran, began, (node) => recorded.steps.get(node)?.outputs)
      },
      (...place) => this.#deps.store.readPiece(...place)
    )
    return { plan: region, recorded: itemThen, start, trigger: ITEM_TRIGGER, given }

    function givenTo(of: Plan, { input }: RunStart, outputsOf: OutputsOf): GivenOutputs {
      const outside = outsideOf(of, id).map((node) => [node, outputsOf(node) ?? {}] as const)
      return new Map([...outside, [id, givenInside(ITEM_TRIGGER, input, index)]])
    }
  }

  async #itemThen(node: string, index: number): Promise<StoredRun | undefined> {
    const { store } = this.#deps
    const [child] = await store.children(this.#run.seq, node, index, 1)
    return child?.index === index ? store.get(child.id) : undefined
  }

  /** Its clock stands still. */
  #clock(clock: Clock): Clock {
    const at = this.#run.outcome?.startedAt ?? this.#run.createdAt
    return { ...clock, now: () => at }
  }
}

type OutputsOf = (node: string) => Outputs | null | undefined

/** Of an item that there was not. */
const NO_OUTCOME = { steps: '[]', finishedAt: 0 }

/** What items came to that went another way. */
interface Inside {
  unknown: Finding | undefined
  first: Finding | undefined
}

const NOT_ENDED: RunFailure = {
  node: null,
  code: 'run_cancelled',
  message: 'The rehearsal ended before the run did.'
}

const NOT_WRITTEN: JournalEffects = {
  isStored: false,
  awaits() {},
  checkpoint: async () => true,
  openWait: async () => true,
  closeWait: async () => ({ state: 'open' })
}

/** Runs are numbered from 1, so this is no run's: should a step hold the thread, no run is blamed. */
function watchOfNobody(watch: StepWatch): StepWatch {
  return {
    began: (_seq, index) => watch.began(0, index),
    left: () => watch.left(),
    waits: (_seq, index, promise) => watch.waits(0, index, promise)
  }
}
