import { parentPath } from '../../../src/contexts/context-path.ts'
import type { JsonValue } from '../../../src/flows/json/exact-json.ts'
import type { ContextFacts } from './contexts.ts'

/** What the context of a flow gives to its nodes. */
export interface ContextScope {
  /** What `{$name}` reads. */
  readonly variables: Readonly<Record<string, JsonValue>>
  /** What the nearest context that says anything of it sets where a Webhook node does not. */
  readonly settings: EntrySettings
}

export interface EntrySettings {
  readonly auth?: Setting<string>
  readonly rateLimit?: Setting<number>
  readonly concurrency?: Setting<number>
  /** In bytes. */
  readonly stepOutput?: Setting<number>
  readonly runOutput?: Setting<number>
}

export interface Setting<T> {
  readonly value: T
  /** The context that sets it. */
  readonly context: string
}

export const NO_CONTEXT_SCOPE: ContextScope = { variables: {}, settings: {} }

export function contextScopeOf(contexts: readonly ContextFacts[], path: string): ContextScope {
  const own = contexts.find((context) => context.path === path)
  const variables = (own?.sees ?? []).filter(({ kind }) => kind === 'variable')
  const auth = nearest(contexts, path, (context) => context.default_auth)
  const rateLimit = nearest(contexts, path, (context) => context.limits?.rate_limit)
  const concurrency = nearest(contexts, path, (context) => context.limits?.concurrency)
  const stepOutput = nearest(contexts, path, (context) => context.limits?.step_output_bytes)
  const runOutput = nearest(contexts, path, (context) => context.limits?.run_output_bytes)
  return {
    variables: Object.fromEntries(variables.map(({ name, value }) => [name, value ?? null])),
    settings: {
      ...(auth === undefined ? {} : { auth }),
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(stepOutput === undefined ? {} : { stepOutput }),
      ...(runOutput === undefined ? {} : { runOutput })
    }
  }
}

function nearest<T>(
  contexts: readonly ContextFacts[],
  path: string,
  read: (context: ContextFacts) => T | null | undefined
): Setting<T> | undefined {
  for (let at: string | undefined = path; at !== undefined; at = parentPath(at)) {
    const context = contexts.find((candidate) => candidate.path === at)
    const value = context === undefined ? undefined : read(context)
    if (value !== undefined && value !== null) return { value, context: at }
  }
  return undefined
}
