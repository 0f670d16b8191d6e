import type { JsonValue } from '../json/exact-json.ts'
import type { ToolCall, WiredTool } from '../tools/tool.ts'

/** What a step asks of a tool, in its place among all that the step has asked. */
export interface AskedCall extends ToolCall {
  readonly index: number
  readonly tool: WiredTool
}

/** One thing that the step has asked: of itself or of a tool. */
export interface KnownCall {
  readonly index: number
  readonly runId: string
  readonly status: 'open' | 'succeeded' | 'failed' | 'cancelled'
  readonly error: { readonly code: string; readonly message: string } | null
  /** In milliseconds of the wall clock. */
  readonly endedAt: number
  /** By output, as the component gave them. */
  readonly outputs: Readonly<Record<string, unknown>>
  readonly durationMs: number | null
}

/** What a step keeps in memory of what a tool gave: many may give much, and the whole is in the runs of the calls. */
export type Remember = (outputs: KnownCall['outputs']) => KnownCall['outputs']

/** A call as who listens is told of it. */
export interface ToldCall {
  /** The same for its beginning and its end, and unlike those of all other calls of the run. */
  readonly id: string
  readonly name: string
  /** At its beginning. */
  readonly arguments?: JsonValue
  /** At its end; null where it failed. */
  readonly result?: JsonValue
  readonly error?: { readonly code: string; readonly message: string }
}

/**
 * What a step asks one after the other, or side by side, and what came of it. Each is kept when it has come to its end, as a run below
 * the step's, and before anything outside follows from it: after a restart, and in a further attempt, what is known is not asked again, and
 * what was under way is asked with the same idempotency key.
 */
export interface StepCalls {
  /** All that there is from this index on, in order. */
  known(from?: number, remember?: Remember): Promise<readonly KnownCall[]>
  /** Something that the step finds out by itself, such as what a model answers. Where it throws nothing is kept. */
  keep<T extends Readonly<Record<string, unknown>>>(
    index: number,
    given: JsonValue,
    find: () => Promise<T>
  ): Promise<T>
  /**
   * Calls tools side by side. Resolves to those that have ended when all have that can be called from here; each is told when it has. The
   * others go on as runs of their own, which wait for a person, a time or another run: then `wait()` of children is to be returned.
   */
  begin(
    calls: readonly AskedCall[],
    onEnded?: (call: KnownCall) => void,
    remember?: Remember
  ): Promise<readonly KnownCall[]>
  /** Calls from this index on that were cancelled with the run, which somebody has retried since, go on from where they stopped. */
  goOn(from: number): Promise<void>
  /** When somebody last retried the run that had ended in this step, by the wall clock; undefined where nobody has. */
  retriedAt(): Promise<number | undefined>
  /** Tells who listens of a call, live; never stored. */
  tell(call: ToldCall): void
}
