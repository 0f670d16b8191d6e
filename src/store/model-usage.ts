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

/** So many models are told apart; a provider may name as many as it likes. */
export const MOST_MODELS = 100
/** The rest of them, together. */
export const OTHER_MODELS = 'other'

/** Of several spans the models that used most of all, the rest as one; each span by name. */
export function mostUsed(spans: readonly (readonly ModelUsage[])[]): readonly (readonly ModelUsage[])[] {
  const totals = new Map<string, number>()
  for (const { model, input, output } of spans.flat())
    totals.set(model, (totals.get(model) ?? 0) + input + output)
  if (totals.size <= MOST_MODELS) return spans
  const ranked = [...totals].sort(([one, of], [other, than]) => than - of || (one < other ? -1 : 1))
  const named = new Set(ranked.slice(0, MOST_MODELS).map(([model]) => model))
  const told = (usage: ModelUsage) => (named.has(usage.model) ? usage : { ...usage, model: OTHER_MODELS })
  return spans.map((usages) => usageByModel(usages.map(told)))
}
