import { type ConnectionResource, type Step, StepError, type Template } from '../../plugin-api.ts'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import type { StreamCount } from './model-fetch.ts'
import type { FIELDS, INPUTS } from './model-fields.ts'

export interface Prepared {
  readonly system: Template
  readonly prompt: Template
  readonly images: Template
  readonly session: Template | null
  /** Null: any text will do. */
  readonly schema: CompiledSchema | null
}

export type ModelStep = Pick<
  Step<typeof FIELDS, typeof INPUTS, Prepared>,
  | 'inputs'
  | 'fields'
  | 'prepared'
  | 'run'
  | 'signal'
  | 'connection'
  | 'request'
  | 'files'
  | 'emit'
  | 'recall'
  | 'payFor'
  | 'outputLimit'
  | 'idempotencyKey'
  | 'pause'
>

export interface Target {
  readonly connection: string
  readonly model: string
  /** Text that was told before is void. */
  readonly isAnew: boolean
}

/** Counts what is under way by the connection. */
export const STREAMS: ConnectionResource<StreamCount> = { open: () => ({ count: 0 }), close: () => {} }

/** Asks the model of the node, and where that fails the other one. */
export async function askEither<T>(step: ModelStep, ask: (target: Target) => Promise<T>): Promise<T> {
  const { connection, model, fallback_connection, fallback_model } = step.fields
  const first = { connection, model: model.trim(), isAnew: false }
  if (fallback_connection === '') return ask(first)
  const second = {
    connection: fallback_connection,
    model: fallback_model.trim() || first.model,
    isAnew: true
  }
  return ask(first).catch((error) => fallBack(step, error, () => ask(second)))
}

/** An attempt that fails at both is told with what each of them said. */
async function fallBack<T>(
  step: Pick<ModelStep, 'signal'>,
  error: unknown,
  askOther: () => Promise<T>
): Promise<T> {
  if (step.signal.aborted || !(error instanceof StepError) || error.code === 'output_too_large') throw error
  return askOther().catch((other) => {
    if (!(other instanceof StepError)) throw other
    throw new StepError(`${other.message} Before that: ${error.message}`, {
      code: other.code,
      retryable: error.retryable || other.retryable,
      ...soonerOf(error, other)
    })
  })
}

function soonerOf(first: StepError, second: StepError): { retryAfterMs?: number } {
  const waits = [first, second]
    .filter(({ retryable }) => retryable)
    .map(({ retryAfterMs }) => retryAfterMs ?? 0)
  const sooner = Math.min(...waits)
  return Number.isFinite(sooner) && sooner > 0 ? { retryAfterMs: sooner } : {}
}
