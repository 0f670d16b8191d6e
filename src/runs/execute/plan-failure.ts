import { PlanError } from '../../engine/plan.ts'
import type { RunFailure } from '../../engine/step-record.ts'
import { MillraceError, messageOf } from '../../errors.ts'

/** Why a run failed whose flow cannot be run any more as it was saved. */
export function planFailure(error: unknown): RunFailure {
  const node = error instanceof PlanError ? error.node : null
  const what = node === null ? 'The flow cannot be prepared' : `Node "${node}" cannot be prepared`
  const code = error instanceof PlanError ? error.code : 'plan_failed'
  return { node, code, message: `${what}: ${messageOf(error)}` }
}

/** The service stops before the store has told what the run begins with: that is no fault of its flow. */
export function isStoreAway(error: unknown): boolean {
  return error instanceof MillraceError && error.code === 'store_unwritable'
}
