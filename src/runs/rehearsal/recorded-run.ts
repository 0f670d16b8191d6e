import { recall } from '../../engine/journal.ts'
import type { Plan, PlannedNode } from '../../engine/plan.ts'
import { outputsRead, type StepReferences } from '../../engine/plan-references.ts'
import { type GivenOutputs, inputsTo, type Progress, progressFrom } from '../../engine/progress.ts'
import type { Outputs, StepRecord } from '../../engine/step-record.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { StoredOutcome } from '../../store/store.ts'
import type { RunStart } from '../record/run-start.ts'
import { decodeSteps } from '../record/step-codec.ts'
import { loadLong, type ReadPiece } from '../steps/long-values.ts'

/** A step that is over, with what it had. */
export interface RecordedStep {
  readonly node: PlannedNode
  readonly record: StepRecord
  readonly inputs: Readonly<Record<string, unknown>>
  /** What its fields read of other nodes; undefined where they read nothing. */
  readonly read: StepReferences['nodes'] | undefined
}

/** A run, or an item of one, that has ended. */
interface Ended {
  /** What it ran. */
  readonly plan: Plan
  readonly trigger: string
  readonly start: RunStart
  readonly outcome: Pick<StoredOutcome, 'steps' | 'finishedAt'>
  readonly given?: GivenOutputs
}

/** What a run did that is over: of each of its steps what it had, and what came of it. */
export class RecordedRun {
  readonly plan: Plan
  readonly steps: ReadonlyMap<string, StepRecord>
  readonly #progress: Progress
  readonly #nodes: ReadonlyMap<string, PlannedNode>

  private constructor({ plan, trigger, outcome, given }: Ended, steps: readonly StepRecord[]) {
    const at = outcome.finishedAt
    const settled = steps.filter(({ status }) => status === 'succeeded' || status === 'failed')
    this.plan = plan
    this.steps = new Map(steps.map((step) => [step.node, step]))
    this.#progress = progressFrom(plan, trigger, recall([{ at, startedAt: at, settled }]), given)
    this.#nodes = new Map(plan.nodes.flatMap((node) => (node.isGiven === true ? [] : [[node.id, node]])))
  }

  static async read(ended: Ended, readPiece: ReadPiece): Promise<RecordedRun> {
    const steps = decodeSteps(ended.outcome.steps, ended.start)
    return new RecordedRun(ended, await Promise.all(steps.map((step) => inMemory(step, readPiece))))
  }

  /** Undefined where it had no such step. */
  step(id: string): RecordedStep | undefined {
    const [node, record] = [this.#nodes.get(id), this.steps.get(id)]
    if (node === undefined || record === undefined) return undefined
    const { outputs } = this.#progress.standing
    const read = node.references && outputsRead(node.references, outputs)
    return { node, record, inputs: inputsTo(this.#progress, node), read }
  }
}

async function inMemory(step: StepRecord, readPiece: ReadPiece): Promise<StepRecord> {
  const load = (value: unknown) => (isLongValue(value) ? loadLong(value, readPiece) : value)
  const { outputs, messages, answer } = step
  return {
    ...step,
    outputs: outputs === null ? null : await mapped(outputs, load),
    ...(messages !== undefined && {
      messages: await Promise.all(
        messages.map(async (message) => ({ ...message, text: (await load(message.text)) as string }))
      )
    }),
    ...(answer !== undefined && { answer: { ...answer, body: (await load(answer.body)) as string } })
  }
}

async function mapped(outputs: Outputs, load: (value: unknown) => unknown): Promise<Outputs> {
  const loaded = Object.entries(outputs).map(async ([name, value]) => [name, await load(value)])
  return Object.fromEntries(await Promise.all(loaded))
}
