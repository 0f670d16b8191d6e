import { isPlainObject, type JsonValue } from '../json/exact-json.ts'

/** One step of a path, such as `name` or `[0]`. */
export interface Step {
  readonly key: string
  /** The list position that `key` spells, or -1. */
  readonly index: number
  /** Where this step ends in the path's text, to name the level it reaches in a message. */
  readonly end: number
}

export interface Path {
  readonly steps: readonly Step[]
  /** The name of the context variable that is looked for first, when the path begins with `$name`. */
  readonly contextName: string | undefined
}

export type Scope = { readonly [key: string]: JsonValue }

const INDEX = /^(?:0|[1-9]\d{0,9})$/

export function makeStep(key: string, end: number): Step {
  return { key, index: INDEX.test(key) ? Number(key) : -1, end }
}

/** Undefined means absent, everywhere here. */
export function readPath(path: Path, scope: Scope, contextVariables: Scope): JsonValue | undefined {
  let value = readRoot(path, scope, contextVariables)
  for (let at = 1; at < path.steps.length && value !== undefined; at++)
    value = readStep(value, path.steps[at]!)
  return value
}

export function readRoot(path: Path, scope: Scope, contextVariables: Scope): JsonValue | undefined {
  if (path.contextName !== undefined) {
    const value = readOwn(contextVariables, path.contextName)
    if (value !== undefined) return value
  }
  return readStep(scope, path.steps[0]!)
}

/** Own properties and list positions only: nothing inherited, no `length`, no characters of a text. */
export function readStep(container: JsonValue | Scope, step: Step): JsonValue | undefined {
  if (Array.isArray(container)) {
    return step.index >= 0 && step.index < container.length ? container[step.index] : undefined
  }
  return isPlainObject(container) ? readOwn(container, step.key) : undefined
}

/** An own property that holds undefined is absent, as it would be in JSON. */
function readOwn(container: Scope, key: string): JsonValue | undefined {
  return Object.hasOwn(container, key) ? container[key] : undefined
}
