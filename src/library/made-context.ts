import { type JsonValue, parseJson, writeJson } from '../flows/json/exact-json.ts'
import type { WebhookAuth } from '../flows/webhook-auth.ts'
import type { StoredContext } from '../store/contexts.ts'

/** What a context sets for the flows inside that do not say otherwise. */
export interface ContextSettings {
  readonly default_auth?: WebhookAuth
  /** Requests per minute of each flow. */
  readonly rate_limit?: number
  /** Runs of each flow that go on at the same time. */
  readonly concurrency?: number
  /** What one step, and all steps of a run together, may put out: bytes of JSON. */
  readonly step_output_bytes?: number
  readonly run_output_bytes?: number
}

/** A context that was made while the service ran. */
export interface MadeContext {
  readonly id: string
  readonly path: string
  readonly variables: Readonly<Record<string, JsonValue>>
  readonly settings: ContextSettings
  readonly createdAt: number
}

export function moved(context: MadeContext, from: string, to: string): MadeContext {
  return { ...context, path: `${to}${context.path.slice(from.length)}` }
}

export function storedContext({ id, path, variables, settings, createdAt }: MadeContext): StoredContext {
  return { id, path, variables: writeJson(variables), settings: JSON.stringify(settings), createdAt }
}

export function madeFrom({ id, path, variables, settings, createdAt }: StoredContext): MadeContext {
  const read = parseJson(variables) as MadeContext['variables']
  return { id, path, variables: read, settings: JSON.parse(settings), createdAt }
}
