import type { RunView, Step } from '../../flows/component/component.ts'
import type { EndStatus } from '../../store/store.ts'

/** How a run ended, as hooks are told. */
export interface RunEnd {
  readonly status: EndStatus
  readonly error: { readonly node: string | null; readonly code: string; readonly message: string } | null
}

/**
 * Hooks around the runs of the flows that see them, ancestors first.
 *
 * `onRunStart` is called each time a run is taken up, so again after a restart or a wait; what it throws fails the
 * run. `onStep` stands around every attempt at a step: `next()` runs what is inside, and what the hook returns is
 * the step's outputs; what it throws fails the attempt. `onRunEnd` is called when the end is durable; what it
 * throws is written to the log and changes nothing.
 */
export interface RunHooks {
  onRunStart: (run: RunView) => unknown
  onStep: (step: Step, next: () => unknown) => unknown
  onRunEnd: (run: RunView, end: RunEnd) => unknown
}

export type RunHookName = keyof RunHooks

const NAMES: readonly string[] = ['onRunStart', 'onStep', 'onRunEnd'] satisfies RunHookName[]

export function isRunHook(name: string): name is RunHookName {
  return NAMES.includes(name)
}

export function assertRunHook(name: string, hook: unknown): asserts name is RunHookName {
  if (!isRunHook(name)) throw new TypeError(`There is no run hook "${name}". Use one of ${NAMES.join(', ')}.`)
  if (typeof hook !== 'function') throw new TypeError(`The run hook ${name} must be a function.`)
}

/** One function that runs `inner` inside all hooks, the first of them outermost. */
export function aroundStep(
  hooks: readonly RunHooks['onStep'][],
  inner: (step: Step) => unknown
): (step: Step) => unknown {
  return hooks.reduceRight<(step: Step) => unknown>(
    (next, hook) => (step) => hook(step, () => next(step)),
    inner
  )
}
