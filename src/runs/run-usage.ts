import type { StepRecord } from '../engine/step-record.ts'
import { isPlainObject } from '../flows/exact-json.ts'

/** Tokens that a step used, by its output `usage`: the output of Language Model, and of plugins that say as much. */
export interface StepUsage {
  readonly model: string
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** What a run used, all models together. */
export interface RunUsage {
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
  readonly total_tokens: number
}

type Outputs = Pick<StepRecord, 'outputs'>

/** Hot: once per run, most of which have none. */
export function stepUsages(steps: readonly Outputs[]): readonly StepUsage[] {
  let usages: StepUsage[] | undefined
  for (const { outputs } of steps) {
    const usage = outputs?.usage
    if (usage === undefined) continue
    const read = readUsage(usage)
    if (read === undefined) continue
    usages ??= []
    usages.push(read)
  }
  return usages ?? NONE
}

const NONE: readonly StepUsage[] = []

/** Null where no step used a model. */
export function runUsage(steps: readonly Outputs[]): RunUsage | null {
  const usages = stepUsages(steps)
  if (usages.length === 0) return null
  const sum = (of: (usage: StepUsage) => number) => usages.reduce((total, usage) => total + of(usage), 0)
  const [input_tokens, output_tokens] = [sum(({ input }) => input), sum(({ output }) => output)]
  return {
    input_tokens,
    cached_tokens: sum(({ cached }) => cached),
    output_tokens,
    total_tokens: input_tokens + output_tokens
  }
}

function readUsage(usage: unknown): StepUsage | undefined {
  if (!isPlainObject(usage)) return undefined
  const { model, input_tokens, cached_tokens = 0, output_tokens } = usage
  if (typeof model !== 'string' || !isCount(input_tokens) || !isCount(output_tokens)) return undefined
  return {
    model,
    input: input_tokens,
    cached: isCount(cached_tokens) ? cached_tokens : 0,
    output: output_tokens
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
