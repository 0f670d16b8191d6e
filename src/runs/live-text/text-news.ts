/** A piece of the text that a step puts out while it works. It is told to who listens and never stored. */
export interface TextDelta {
  readonly flowId: string
  readonly runId: string
  readonly node: string
  /** Where the piece begins in the text of the step, in UTF-16 code units. 0: the text begins anew. */
  readonly at: number
  readonly text: string
}

export type TextListener = (deltas: readonly TextDelta[]) => void

/** Tells whoever listens to a flow, or to all, of the text that its steps put out, in the order of each step. */
export interface TextNews {
  /** So that text which nobody listens to need not be put together. */
  hasListeners(flowId: string): boolean
  publish(deltas: readonly TextDelta[]): void
  /** To one flow, or to all (null): hears the pieces of one flow at a time. Returns what ends the subscription. */
  subscribe(flowId: string | null, listener: TextListener): () => void
}
