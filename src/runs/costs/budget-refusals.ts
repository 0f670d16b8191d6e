import { StepError } from '../../engine/step-error.ts'
import type { Budget } from '../../store/spending.ts'
import { MILLIONTHS } from './budget-state.ts'

/** `most` as the budget says it, the others in millionths. */
interface OverRun {
  readonly most: number
  readonly spent: number
  /** What the call may cost. */
  readonly cost: number
}

export function overRun(context: string, { most, spent, cost }: OverRun): StepError {
  return new StepError(
    `The run has spent ${inWords(spent)} on models, and ${inWords(most * MILLIONTHS)} is the most that the context "${context}" lets one spend; this call may cost ${inWords(cost)}. Raise the limit on the page Usage, or give the run less to do.`,
    { code: 'run_budget_exceeded', retryable: false }
  )
}

/** Of what is no run and bounded like one. */
export function overTask(context: string, { most, spent, cost }: OverRun): StepError {
  return new StepError(
    `This has spent ${inWords(spent)} on models, and ${inWords(most * MILLIONTHS)} is the most that the context "${context}" lets a run spend; the next call may cost ${inWords(cost)}. Raise the limit on the page Usage, ask for less, or choose a cheaper model.`,
    { code: 'run_budget_exceeded', retryable: false }
  )
}

export function overBudget({ context, perMonth }: Budget, spent: number): StepError {
  return new StepError(
    `The budget of the context "${context}" does not cover this call of a model: ${inWords(spent)} of ${inWords(perMonth! * MILLIONTHS)} are spent this month. Raise the budget on the page Usage, or wait for the next month.`,
    { code: 'budget_exceeded', retryable: false }
  )
}

export function withoutPrice(model: string): StepError {
  return new StepError(
    `The model "${model}" has no price, so a budget cannot hold it. Set its price on the page Usage; 0 is one, for a model of your own.`,
    { code: 'model_without_price', retryable: false }
  )
}

export function inWords(millionths: number): string {
  return (millionths / MILLIONTHS).toFixed(millionths < MILLIONTHS ? 4 : 2)
}
