import type { Clock } from '../clock.ts'
import type { MillraceError } from '../errors.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { ReopenConditions } from '../store/run.ts'
import type { RunStore, StoredRun } from '../store/store.ts'
import type { Dispatch } from './dispatch/dispatch.ts'
import type { RunAgain } from './items-again.ts'
import { reopeningEntry } from './record/reopening-entry.ts'
import { nothingToRetry, retriedMeanwhile } from './run-refusals.ts'

interface ReopeningDeps {
  readonly store: Pick<RunStore, 'reopen'>
  readonly dispatcher: Pick<Dispatch, 'reopening' | 'notReopened'>
  readonly clock: Pick<Clock, 'now'>
}

/** Throws where the version is gone that the run began with, or the context that this one was in. */
export async function assertCanGoOn(
  run: StoredRun,
  library: Pick<FlowLibrary, 'contextOf' | 'surroundings'>
): Promise<void> {
  // A test has its document with it.
  if (run.isTest === true) return
  const home = await library.contextOf(run.flowId, run.flowVersion)
  const context = home === undefined ? undefined : (run.context ?? home)
  const isThere = context !== undefined && library.surroundings.catalogue.hasContext(context)
  if (!isThere) throw nothingToRetry(run, context)
}

/** Its flow has gone since somebody looked, or somebody else was quicker. */
export async function whyNotReopened(
  run: StoredRun,
  library: Pick<FlowLibrary, 'contextOf' | 'surroundings'>
): Promise<MillraceError> {
  await assertCanGoOn(run, library)
  return retriedMeanwhile(run)
}

/** The entry was made of how the run had ended: on top of any other end it would undo what was done since. */
function conditionsOf(
  { outcome, isTest, flowVersion: version }: StoredRun,
  calledAnew: readonly string[]
): ReopenConditions {
  const { no: endNo, status } = outcome!
  const mayHaveSucceeded = status === 'succeeded'
  return { endNo, mayHaveSucceeded, calledAnew, ...(isTest !== true && { version }) }
}

/** Undefined where it is not to be opened again. Else whoever asked for it lets it go on, with the entry that its journal begins with. */
export async function reopenRun(
  run: StoredRun,
  { store, dispatcher, clock }: ReopeningDeps,
  again?: RunAgain
): Promise<{ readonly no: number; readonly entry: string } | undefined> {
  const { entry, calledAnew } = reopeningEntry(run, clock.now(), again)
  dispatcher.reopening(run)
  let no: number | null = null
  try {
    no = await store.reopen(run, entry, conditionsOf(run, calledAnew))
  } finally {
    if (no === null) dispatcher.notReopened(run)
  }
  return no === null ? undefined : { no, entry }
}
