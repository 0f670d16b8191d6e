import type { ToldCall } from '../../flows/step/step-calls.ts'

/** A piece of the text that a step puts out while it works. It is told to who listens and never stored. */
export interface TextDelta {
  readonly flowId: string
  readonly runId: string
  readonly node: string
  /** Where the piece begins in the text of the step, in UTF-16 code units. 0: the text begins anew. */
  readonly at: number
  readonly text: string
}

/** A tool that a step calls: told when the call begins, with `arguments`, and when it has ended. Told to who listens and never stored. */
export interface ToolNews {
  readonly flowId: string
  readonly runId: string
  readonly node: string
  readonly tool: ToldCall
}

/** What a step tells while it works. */
export type StepNews = TextDelta | ToolNews

export function isText(news: StepNews): news is TextDelta {
  return !('tool' in news)
}

export type TextListener = (news: readonly StepNews[]) => void

/** Tells whoever listens to a flow, or to all, of the text that its steps put out and the tools that they call, in the order of each step. */
export interface TextNews {
  /** So that text which nobody listens to need not be put together. */
  hasListeners(flowId: string): boolean
  publish(news: readonly StepNews[]): void
  /** To one flow, or to all (null): hears the pieces of one flow at a time. Returns what ends the subscription. */
  subscribe(flowId: string | null, listener: TextListener): () => void
}
