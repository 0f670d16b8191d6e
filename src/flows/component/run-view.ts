import type { JsonValue } from '../json/exact-json.ts'
import type { RunTrigger } from './trigger.ts'

/** What the caller's request looked like, without the key. */
export interface RequestFacts {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly address: string
}

export interface Message {
  readonly text: string
  readonly sender: string
  readonly session: string
}

/** The run as a step sees it. Decorations of the flow's context (`decorateRun`) are members of it too. */
export interface RunView {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly trigger: RunTrigger
  /** The payload as it was sent; numbers that a double would change are ExactNumber. */
  readonly input: JsonValue
  readonly request: RequestFacts | null
  /** The chat session of the run; `default` where the caller named none. */
  readonly session: string
  /** The variables that the flow's context sees, nearest context first: what `{$name}` reads. */
  readonly variables: Readonly<Record<string, JsonValue>>
  /** Prints a message in the Playground. It is stored together with the result of the step. */
  say(message: { text: string; sender?: string; session?: string }): void
  readonly [decoration: string]: unknown
}
