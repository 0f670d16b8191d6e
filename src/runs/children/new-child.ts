import type { Clock } from '../../clock.ts'
import { StepError } from '../../engine/step-error.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import type { NewChild } from '../../store/children.ts'
import { UNREQUESTED } from '../../store/run-fields.ts'
import type { ExecutableRun, ParentRef } from '../../store/store.ts'
import {
  type CALL_TRIGGER,
  type FLOW_TRIGGER,
  type ITEM_TRIGGER,
  isInside,
  type ROUND_TRIGGER
} from './run-result.ts'

/** Runs that start runs that start runs …: so deep, and no deeper. */
const MOST_DEPTH = 32

export interface ChildFacts {
  readonly node: string
  readonly index: number
  readonly isAwaited: boolean
  readonly trigger: typeof ITEM_TRIGGER | typeof ROUND_TRIGGER | typeof CALL_TRIGGER | typeof FLOW_TRIGGER
  readonly flow: { readonly id: string; readonly version: number }
  readonly input: unknown
  /** Where another flow runs, where that is not its own context. */
  readonly context?: string
}

export function newChild(
  run: ExecutableRun,
  facts: ChildFacts,
  clock: Pick<Clock, 'newId' | 'now'>
): NewChild {
  const { node, index, isAwaited, trigger, flow, input, context } = facts
  const parent: ParentRef = {
    seq: run.seq,
    runId: run.id,
    flowId: run.flowId,
    node,
    index,
    depth: depthBelow(run),
    isAwaited
  }
  return {
    id: clock.newId(),
    flowId: flow.id,
    flowVersion: flow.version,
    trigger,
    session: run.session,
    createdAt: clock.now(),
    input: Buffer.from(writeJson(input ?? null)),
    ...UNREQUESTED,
    // An item and a round are parts of the run.
    context: isInside({ trigger }) ? run.context : (context ?? null),
    parent,
    ...(isPartOf(run, facts) && { whilePaused: 'begin' as const }),
    ...(run.isTest === true && { isTest: true as const })
  }
}

/** The run has begun, and waits for another one of its own flow, as for an item: whether that is paused or not, it goes on to its end. */
export function isPartOf(
  { flowId }: ExecutableRun,
  { flow, isAwaited }: Pick<ChildFacts, 'flow' | 'isAwaited'>
) {
  return isAwaited && flow.id === flowId
}

/** The depth of a run that this one starts. */
export function depthBelow({ parent }: Pick<ExecutableRun, 'parent'>): number {
  const depth = (parent?.depth ?? 0) + 1
  if (depth <= MOST_DEPTH) return depth
  throw new StepError(
    `There are ${MOST_DEPTH} runs above this one already, each started by the one above. Do flows run each other in a circle? Let one of them end.`,
    { code: 'too_deep', retryable: false }
  )
}
