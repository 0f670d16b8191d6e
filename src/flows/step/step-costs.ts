/** What is about to be asked of a model, in tokens as far as they can be told before. */
export interface CallToPay {
  readonly model: string
  readonly input: number
  /** The most that it may answer with; undefined where nothing bounds it. */
  readonly mostOutput: number | undefined
}

export interface UsedTokens {
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
}

export interface PaidCall {
  /** Once, whatever became of it; undefined where nothing was used. What it has cost; null where the model has no price. */
  end(used: UsedTokens | undefined): number | null
}

export interface StepCosts {
  /**
   * Before a model is asked: puts aside what that may cost. Throws where a budget of the flow's context, or the limit of its run, has not
   * so much left (`budget_exceeded`, `run_budget_exceeded`).
   */
  readonly payFor: (call: CallToPay) => Promise<PaidCall>
}
