import type { StepRecord } from '../../engine/step-record.ts'
import { isPlainObject } from '../../flows/json/exact-json.ts'
import { type ModelUsage, NO_USAGE, usageByModel } from '../../store/model-usage.ts'
import type { PresentedUsage } from '../present/run-shape.ts'

type Outputs = Pick<StepRecord, 'outputs' | 'reportsUsage'>

/**
 * What the steps used, by model: those of Language Model say so by their output `usage`, and those of plugins may. An output of
 * that name is not enough: a Switch has it where somebody calls a case so, and gives what anybody sent. Hot: once per run, most of
 * which have none. What is pinned was used before.
 */
export function modelUsage(steps: readonly Outputs[]): readonly ModelUsage[] {
  let usages: ModelUsage[] | undefined
  for (const { outputs, reportsUsage } of steps) {
    if (reportsUsage !== true) continue
    const read = readUsage(outputs?.usage)
    if (read === undefined) continue
    usages ??= []
    usages.push(read)
  }
  return usages === undefined ? NO_USAGE : usageByModel(usages)
}

/** Null where no step used a model. */
export function runUsage(steps: readonly Outputs[]): PresentedUsage | null {
  const usages = modelUsage(steps)
  return usages.length === 0 ? null : presentUsage(usages)
}

/** What its own steps say that models have cost; null where none was asked, or one had no price. */
export function stepCost(steps: readonly Outputs[]): number | null {
  let sum: number | null = null
  for (const { outputs, reportsUsage } of steps) {
    if (reportsUsage !== true || !isPlainObject(outputs?.usage)) continue
    const { cost } = outputs.usage
    if (typeof cost !== 'number' || !(cost >= 0)) return null
    sum = Math.round(((sum ?? 0) + cost) * 1e6) / 1e6
  }
  return sum
}

/** As the API tells it, all of them together. */
export function presentUsage(usages: readonly ModelUsage[]): PresentedUsage {
  const sum = (of: (usage: ModelUsage) => number) => usages.reduce((total, usage) => total + of(usage), 0)
  const [input_tokens, output_tokens] = [sum(({ input }) => input), sum(({ output }) => output)]
  return {
    input_tokens,
    cached_tokens: sum(({ cached }) => cached),
    output_tokens,
    total_tokens: input_tokens + output_tokens
  }
}

function readUsage(usage: unknown): ModelUsage | undefined {
  if (!isPlainObject(usage)) return undefined
  const { model, input_tokens, cached_tokens = 0, output_tokens } = usage
  if (typeof model !== 'string' || !isCount(input_tokens) || !isCount(output_tokens)) return undefined
  return {
    model: model.slice(0, LONGEST_NAME).replaceAll('\0', ''),
    input: Math.round(input_tokens),
    cached: isCount(cached_tokens) ? Math.round(cached_tokens) : 0,
    output: Math.round(output_tokens)
  }
}

/** What a plugin says may be anything, and is summed up for a month. */
const LONGEST_NAME = 300
const MOST_TOKENS = 1e12

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST_TOKENS
}
