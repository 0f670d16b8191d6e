import type { ModelTokens, StatsBucket } from '../../../api/run-stats.ts'
import type { TokenUsage } from '../../../api/shapes.ts'

type Used = Pick<StatsBucket, 'usage'>

/** All buckets together; null where no model was asked. */
export function usageOf(buckets: readonly Used[]): TokenUsage | null {
  const used = buckets.flatMap(({ usage }) => (usage === null ? [] : [usage]))
  return used.length === 0 ? null : sumOf(used)
}

/** All buckets together, the model that was used most first. */
export function usageByModel(buckets: readonly Used[]): readonly ModelTokens[] {
  const models = buckets.flatMap(({ usage }) => usage?.models ?? [])
  return [...Map.groupBy(models, ({ model }) => model)]
    .map(([model, used]) => ({ model, ...sumOf(used) }))
    .toSorted((one, other) => other.total_tokens - one.total_tokens)
}

function sumOf(used: readonly TokenUsage[]): TokenUsage {
  const sum = (member: keyof TokenUsage) => used.reduce((total, usage) => total + usage[member], 0)
  return {
    input_tokens: sum('input_tokens'),
    cached_tokens: sum('cached_tokens'),
    output_tokens: sum('output_tokens'),
    total_tokens: sum('total_tokens')
  }
}
