import type { StepCall } from '../../engine/effects.ts'
import type { Plan, PlannedNode } from '../../engine/plan.ts'
import { StepError } from '../../engine/step-error.ts'
import type { Outputs } from '../../engine/step-record.ts'
import { secretsAmong } from '../../flows/component/without-secrets.ts'
import { inTurns, type Pacer, type Turns } from '../../flows/in-turns.ts'
import { equalInTurns } from '../../flows/json/equal-json.ts'
import { RunEffects } from '../steps/run-effects.ts'
import { type Finding, shownStep } from './finding.ts'
import type { RecordedRun, RecordedStep } from './recorded-run.ts'
import { hasWhatItHad, isSameInside, outsideOf } from './same-step.ts'

interface RehearsedParts {
  readonly plan: Plan
  readonly recorded: RecordedRun
  readonly pacerOf: (call: StepCall) => Pacer
  /** What its items came to that went another way than then. */
  readonly inside: { unknown: Finding | undefined }
}

/** Tells a step whose outcome cannot be known from one that fails. */
export class Unknowable extends Error {}

/**
 * The outside of a run that is rehearsed. A step that has what it had then gives what it gave then. Of the others those that compute are run, and
 * those that reach outside or wait are not: what hangs on them is not known.
 */
export class RehearsedEffects extends RunEffects {
  readonly #own: RehearsedParts
  readonly #outputs = new Map<string, Outputs>()
  readonly #blurred = new Set<number>()
  #unknown: Finding | undefined

  constructor(parts: ConstructorParameters<typeof RunEffects>[0], own: RehearsedParts) {
    super(parts)
    this.#own = own
  }

  /** The first step that could not be known. */
  get unknown(): Finding | undefined {
    return this.#unknown
  }

  /** The nodes that hang on such a step, those that were never reached included. */
  get blurred(): ReadonlySet<string> {
    return new Set([...this.#blurred].map((index) => this.#own.plan.nodes[index]!.id))
  }

  /** What nodes have put out so far. */
  outputsOf(node: string): Outputs | undefined {
    return this.#outputs.get(node)
  }

  override invoke(call: StepCall): unknown {
    if (this.#blurred.has(call.node.index)) return {}
    const decided = inTurns(this.#isAsThen(call), this.#own.pacerOf(call))
    return decided instanceof Promise
      ? decided.then((isAsThen) => this.#play(call, isAsThen))
      : this.#play(call, decided)
  }

  override keep(
    call: StepCall,
    outputs: Readonly<Record<string, unknown>> | null
  ): Promise<boolean> | undefined {
    if (outputs !== null) this.#outputs.set(call.node.id, outputs)
    return super.keep(call, outputs)
  }

  #play(call: StepCall, isAsThen: boolean): unknown {
    const { node } = call
    const recorded = this.#own.recorded.step(node.id)
    // Variables of the context may have been set anew since.
    const isComputed = !reachesOut(node) && node.variableFields.length > 0
    if (isAsThen && !isComputed && isOver(recorded)) return asThen(call, recorded)
    if (node.component.region !== undefined) return this.#playRegion(call, recorded)
    if (reachesOut(node)) return this.#cannotKnow(call, recorded)
    return super.invoke(call)
  }

  /** Its items are rehearsed in their turn. */
  async #playRegion(call: StepCall, recorded: RecordedStep | undefined): Promise<unknown> {
    this.#own.inside.unknown = undefined
    try {
      const outputs = await super.invoke(call)
      return this.#own.inside.unknown === undefined ? outputs : this.#cannotKnow(call, recorded)
    } catch (error) {
      if (error instanceof Unknowable || this.#own.inside.unknown !== undefined)
        return this.#cannotKnow(call, recorded)
      throw error
    }
  }

  #cannotKnow(call: StepCall, recorded: RecordedStep | undefined): Outputs {
    const { node } = call
    this.#unknown ??= this.#own.inside.unknown ?? {
      verdict: 'unknown',
      node: node.id,
      was:
        recorded === undefined
          ? null
          : { ...had(recorded.node, recorded.inputs), gave: shownStep(recorded.record) },
      is: had(node, call.inputs),
      error: null
    }
    this.#blur(node.index)
    return {}
  }

  #blur(index: number): void {
    if (this.#blurred.has(index)) return
    this.#blurred.add(index)
    const { nodes } = this.#own.plan
    for (const next of nodes[index]!.dependents) this.#blur(next)
    for (const { index: reader, references } of nodes)
      if (references?.nodes.some((read) => read.index === index)) this.#blur(reader)
  }

  *#isAsThen(call: StepCall): Turns<boolean> {
    const { plan, recorded } = this.#own
    if (!(yield* hasWhatItHad(call, recorded))) return false
    const { id, component } = call.node
    if (component.region === undefined) return true
    const region = plan.regions.get(id)
    if (!(yield* isSameInside(recorded.plan.regions.get(id), region))) return false
    for (const outside of region === undefined ? [] : outsideOf(region, id)) {
      const given = recorded.steps.get(outside)?.outputs ?? {}
      if (!(yield* equalInTurns(given, this.#outputs.get(outside) ?? {}))) return false
    }
    return true
  }
}

function reachesOut({ effects, component }: PlannedNode): boolean {
  return effects === 'external' || component.resume !== undefined
}

/** Whoever may read the flow reads this, and not what secret fields hold. */
function had({ fields, component }: PlannedNode, inputs: Readonly<Record<string, unknown>>) {
  const secret = secretsAmong(Object.keys(fields), component)
  const told = Object.entries(fields).filter(([name]) => !secret.includes(name))
  return { fields: Object.fromEntries(told), inputs }
}

function isOver(step: RecordedStep | undefined): step is RecordedStep {
  return step?.record.status === 'succeeded' || step?.record.status === 'failed'
}

function asThen(call: StepCall, { record }: RecordedStep): Outputs {
  call.messages.push(...(record.messages ?? []))
  if (record.answer !== undefined) call.answer = record.answer
  const { error, outputs } = record
  if (error !== null && record.status === 'failed')
    throw new StepError(error.message, { code: error.code, retryable: false })
  return outputs ?? {}
}
