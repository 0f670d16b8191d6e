import type { ContextTree } from '../../contexts/context-tree.ts'
import { DEFAULT_OUTPUT_LIMITS, type OutputLimits } from '../../engine/output-limit.ts'
import type { Step } from '../../flows/component/component.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { aroundStep, isRunHook, type RunHookName, type RunHooks } from './run-hooks.ts'

/** What the context of a flow puts around its runs. */
export interface RunScope {
  /** The context itself. */
  readonly path: string
  /** Members of `run` that decorateRun added. */
  readonly decorations: Readonly<Record<string, unknown>>
  /** What `{$name}` reads, nearest context first. */
  readonly variables: Readonly<Record<string, JsonValue>>
  readonly onRunStart: readonly RunHooks['onRunStart'][]
  readonly onRunEnd: readonly RunHooks['onRunEnd'][]
  /** Runs a step inside the hooks of the context; undefined where there are none, which is the usual case. */
  readonly aroundStep: ((inner: (step: Step) => unknown, step: Step) => unknown) | undefined
  readonly outputLimits: OutputLimits
}

/** What is set for the flows of a context. Whenever it changes, so does the revision of the tree. */
type OutputLimitsOf = (context: string) => OutputLimits

/** Looks a context up once and keeps what it found until the tree changes: a run costs no walk up the tree. */
export class RunScopes {
  readonly #tree: ContextTree
  readonly #known = new Map<string, RunScope>()
  readonly #limitsOf: OutputLimitsOf
  #revision = -1

  constructor(tree: ContextTree, limitsOf: OutputLimitsOf = () => DEFAULT_OUTPUT_LIMITS) {
    this.#tree = tree
    this.#limitsOf = limitsOf
  }

  of(context: string): RunScope {
    if (this.#revision !== this.#tree.revision) {
      this.#known.clear()
      this.#revision = this.#tree.revision
    }
    let found = this.#known.get(context)
    if (found === undefined) {
      found = lookUp(this.#tree, context, this.#limitsOf(context))
      this.#known.set(context, found)
    }
    return found
  }
}

function lookUp(tree: ContextTree, context: string, outputLimits: OutputLimits): RunScope {
  const values = (kind: 'decoration' | 'variable') =>
    Object.fromEntries(tree.visible(context, kind).map(({ name, value }) => [name, value]))
  const hooks = <N extends RunHookName>(name: N) =>
    tree
      .visible(context, 'hook')
      .filter((hook) => isRunHook(hook.name) && hook.name === name)
      .map((hook) => hook.value as RunHooks[N])
  const onStep = hooks('onStep')
  return {
    path: context,
    decorations: values('decoration'),
    variables: values('variable') as Record<string, JsonValue>,
    onRunStart: hooks('onRunStart'),
    onRunEnd: hooks('onRunEnd'),
    aroundStep: onStep.length === 0 ? undefined : (inner, step) => aroundStep(onStep, inner)(step),
    outputLimits
  }
}
