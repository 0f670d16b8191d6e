import { type JournalState, recall } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import { allRecords, progressFrom } from '../../engine/progress.ts'
import { cancel } from '../../engine/settle.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import type { RunTrigger } from '../../flows/component/component.ts'
import type { ExecutableRun, Outcome, StoredRun } from '../../store/store.ts'
import { gaveOutput } from './ended-outcome.ts'
import { decodeEntry } from './journal-codec.ts'
import { runStartOf } from './run-start.ts'
import { modelUsage } from './run-usage.ts'
import { encodeSteps, messagesOf } from './step-codec.ts'

/** How a run ends that is cancelled while nobody executes it. Without a plan, what the journal tells is all that is known. */
export function cancelledOutcome(
  run: ExecutableRun & Pick<StoredRun, 'journal'>,
  plan: Plan | undefined,
  now: number
): Outcome {
  const start = runStartOf(run)
  const recalled = recall(run.journal.map((entry) => decodeEntry(entry, start)))
  const steps =
    plan === undefined ? [...recalled.settled.values()] : cancelledSteps(plan, run.trigger, recalled)
  return {
    status: 'cancelled',
    startedAt: recalled.startedAt,
    finishedAt: now,
    error: null,
    steps: encodeSteps(steps, start),
    messages: messagesOf(steps, start),
    nodesWithOutput: steps.filter(gaveOutput).map((step) => step.node),
    usage: modelUsage(steps)
  }
}

/** R6 for a run that is not in memory: it has not begun, or waits for its next attempt. */
function cancelledSteps(plan: Plan, trigger: RunTrigger, recalled: JournalState): readonly StepRecord[] {
  const progress = progressFrom(plan, trigger, recalled)
  cancel(progress.standing)
  return allRecords(progress)
}
