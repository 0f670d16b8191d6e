import { type JournalState, recall } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { ChildrenOfRun, waitsForChildren } from '../children/children-of-run.ts'
import { LiveText } from '../live-text/live-text.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import type { RunStart } from '../record/run-start.ts'
import { linkedScope } from '../steps/linked-scope.ts'
import type { RunInContext } from '../steps/run-in-context.ts'
import { RunOutputs } from '../steps/run-outputs.ts'
import type { ExecutorDeps } from './executing-run.ts'
import { hangsOf, NO_HANGS, withDeadly } from './suspect-steps.ts'

/** A run with all that its steps will need, before the first of them begins. */
export interface PreparedRun extends RunInContext {
  readonly outputs: RunOutputs
  readonly children: ChildrenOfRun
}

export function recallJournal(journal: readonly string[], start: RunStart): JournalState {
  return recall(journal.map((entry) => decodeEntry(entry, start)))
}

export function prepareRun(
  run: ExecutableRun,
  plan: Plan,
  start: RunStart,
  recalled: JournalState,
  deps: ExecutorDeps
): PreparedRun {
  const { clock, pacing, outside, textStreams, store, persist, watch } = deps
  const { newId, now } = clock
  const scope = deps.scopeOf(plan.context)
  const { linked } = plan
  const context = linked === undefined ? scope : linkedScope(scope, linked, run.id, outside.addresses)
  const outputs = new RunOutputs({ run, start, limits: context.outputLimits, pacing, store, persist })
  const liveText = new LiveText(run, textStreams)
  const surroundings = { scope, outside, textStreams, watch, pacing }
  const children = new ChildrenOfRun({ run, plan, outputs, around: surroundings }, deps.children)
  if (waitsForChildren(recalled)) children.hasSome()
  return { run, start, context, outputs, pacing, outside, liveText, children, persist, newId, now }
}

/** With the long outputs of steps that have ended, and with the steps that held a thread: what the store may have to be asked for. */
export function restoreJournal(
  recalled: JournalState,
  { run, outputs }: PreparedRun,
  mayHaveHung: boolean,
  deps: ExecutorDeps
): JournalState | Promise<JournalState> {
  const settled = outputs.restore(recalled.settled)
  const { deadly } = deps
  const known = deadly.known()
  if (!(settled instanceof Promise) && !mayHaveHung && known === undefined)
    return withDeadly(recalled, deadly.of(run))
  const hung = mayHaveHung ? hangsOf(run, deps) : NO_HANGS
  return Promise.all([settled, hung, known]).then(([loaded, hangs]) =>
    withDeadly({ ...recalled, settled: loaded, ...(hangs.size > 0 && { hangs }) }, deadly.of(run))
  )
}
