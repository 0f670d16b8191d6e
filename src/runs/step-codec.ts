import type { StepRecord } from '../engine/step-record.ts'
import { type JsonValue, parseJson, writeJson } from '../flows/exact-json.ts'

/**
 * Steps as they are stored. The payload is stored once, with the run: an output that is the payload itself
 * (what a Webhook gives) is kept as its name alone, and read back from the run's input.
 */
interface StoredStep extends StepRecord {
  readonly inputAs?: readonly string[]
}

export function encodeSteps(steps: readonly StepRecord[], input: JsonValue): string {
  return writeJson(steps.map((step) => withoutPayload(step, input)))
}

/** Without the input at hand, outputs that are the payload are left out. */
export function decodeSteps(text: string, input: JsonValue | undefined): StepRecord[] {
  return (parseJson(text) as unknown as StoredStep[]).map((step) => withPayload(step, input))
}

export function withoutPayload(step: StepRecord, input: JsonValue): StoredStep {
  if (step.outputs === null || typeof input !== 'object' || input === null) return step
  let inputAs: string[] | undefined
  let rest: Record<string, unknown> | undefined
  for (const name in step.outputs) {
    if (step.outputs[name] !== input) continue
    inputAs ??= []
    inputAs.push(name)
    rest ??= { ...step.outputs }
    delete rest[name]
  }
  return inputAs === undefined ? step : { ...step, outputs: rest!, inputAs }
}

export function withPayload(step: StoredStep, input: JsonValue | undefined): StepRecord {
  if (step.inputAs === undefined) return step
  const { inputAs, ...record } = step
  if (input === undefined) return record
  const payload = Object.fromEntries(inputAs.map((name) => [name, input]))
  return { ...record, outputs: { ...payload, ...record.outputs } }
}
