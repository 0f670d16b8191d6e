import { isWithin } from '../../contexts/context-path.ts'
import type { Budget } from '../../store/spending.ts'

export const MILLIONTHS = 1_000_000
/** From this share of a budget on people are warned. */
const NEAR = 0.8

type BudgetState = 'ok' | 'near' | 'exceeded'

/** `spent` in millionths. */
export function stateOf({ perMonth }: Budget, spent: number): BudgetState {
  if (perMonth === null) return 'ok'
  const most = perMonth * MILLIONTHS
  return spent >= most ? 'exceeded' : spent >= most * NEAR ? 'near' : 'ok'
}

/** Those that hold for flows of this context: its own, and those of the contexts above. */
export function budgetsAt(context: string, budgets: readonly Budget[]): Budget[] {
  return budgets.filter((budget) => isWithin(context, budget.context))
}

/** What was spent in a context and below it, in millionths. */
export function spentIn(
  context: string,
  spent: Iterable<{ readonly context: string; readonly cost: number }>
): number {
  let sum = 0
  for (const each of spent) if (isWithin(each.context, context)) sum += each.cost
  return sum
}

/** The first and the last day of the month that a moment is in, and that moment's own, in UTC. */
export function daysOf(at: number): {
  readonly day: string
  readonly fromDay: string
  readonly untilDay: string
} {
  const day = new Date(at).toISOString().slice(0, 10)
  return { day, fromDay: `${day.slice(0, 7)}-01`, untilDay: `${day.slice(0, 7)}-31` }
}
