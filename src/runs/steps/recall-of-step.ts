import type { StepMemory } from '../../flows/step/step-memory.ts'
import { carriedTurns, lastTurns } from './carried-turns.ts'
import type { RunInContext } from './run-in-context.ts'

/** What was said before the run, in its session or in another one of its flow. */
export function recallOfStep(
  { outside, run, start }: Pick<RunInContext, 'outside' | 'run' | 'start'>,
  persist: RunInContext['persist']
): StepMemory['recall'] {
  const carried = carriedTurns(run.trigger, start.input)
  return async (asked, session = run.session) =>
    carried !== undefined && session === run.session
      ? { messages: lastTurns(carried, asked, session), summary: null }
      : persist(() => outside.history({ id: run.id, flowId: run.flowId, session }, asked))
}
