import { type JournalState, recall } from '../../engine/journal.ts'
import type { Plan } from '../../engine/plan.ts'
import { NO_CHILDREN } from '../../store/children.ts'
import type { ExecutableRun, RunStore } from '../../store/store.ts'
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
  const isSound = !mayHaveHung && known === undefined && recalled.interruptions.size === 0
  if (!(settled instanceof Promise) && isSound) return withDeadly(recalled, deadly.of(run))
  const hung = mayHaveHung ? hangsOf(run, deps) : NO_HANGS
  const deaths = withoutProgress(recalled.interruptions, run, deps.store)
  return Promise.all([settled, hung, deaths, known]).then(([loaded, hangs, interruptions]) =>
    withDeadly(
      { ...recalled, settled: loaded, interruptions, ...(hangs.size > 0 && { hangs }) },
      deadly.of(run)
    )
  )
}

/** A step that has come further each time is not what the process died of: what ended below it counts against its deaths. */
async function withoutProgress(
  interruptions: JournalState['interruptions'],
  run: ExecutableRun,
  store: Pick<RunStore, 'countChildren'>
): Promise<JournalState['interruptions']> {
  const left = new Map<string, number>()
  for (const [node, deaths] of interruptions) {
    const { succeeded, failed } = deaths === 1 ? NO_CHILDREN : await store.countChildren(run.seq, node)
    left.set(node, Math.max(1, deaths - succeeded - failed))
  }
  return left
}
