import type { StepCosts } from '../../flows/step/step-costs.ts'
import type { RunInContext } from './run-in-context.ts'

/** A step pays out of the budgets of the context that its run is in. */
export function payForStep({
  outside,
  run,
  context
}: Pick<RunInContext, 'outside' | 'run' | 'context'>): StepCosts['payFor'] {
  const payer = { context: context.path, flowId: run.flowId, runSeq: run.seq }
  return (call) => outside.spending.payFor(payer, call)
}
