/** Tokens of a language model, as its provider counts them. */
export interface ModelUsage {
  /** Without the character NUL, which PostgreSQL cannot keep. */
  readonly model: string
  readonly input: number
  /** Of these so many were read from the provider's cache. */
  readonly cached: number
  readonly output: number
}

export const NO_USAGE: readonly ModelUsage[] = []

/** All of the same model as one, by name. */
export function usageByModel(usages: Iterable<ModelUsage>): readonly ModelUsage[] {
  const byModel = new Map<string, ModelUsage>()
  for (const usage of usages) {
    const { input = 0, cached = 0, output = 0 } = byModel.get(usage.model) ?? {}
    byModel.set(usage.model, {
      model: usage.model,
      input: input + usage.input,
      cached: cached + usage.cached,
      output: output + usage.output
    })
  }
  return [...byModel.values()].sort((one, other) => (one.model < other.model ? -1 : 1))
}
