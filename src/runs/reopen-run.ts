import type { Clock } from '../clock.ts'
import type { RunStore, StoredRun } from '../store/store.ts'
import type { Dispatch } from './dispatch/dispatch.ts'
import { reopeningEntry } from './record/reopening-entry.ts'

export interface ReopeningDeps {
  readonly store: Pick<RunStore, 'reopen'>
  readonly dispatcher: Pick<Dispatch, 'reopening' | 'notReopened'>
  readonly clock: Pick<Clock, 'now'>
}

/** Undefined where it is not to be opened again. Else whoever asked for it lets it go on, with the entry that its journal begins with. */
export async function reopenRun(
  run: StoredRun,
  { store, dispatcher, clock }: ReopeningDeps
): Promise<{ readonly no: number; readonly entry: string } | undefined> {
  const entry = reopeningEntry(run, clock.now())
  dispatcher.reopening(run)
  let no: number | null = null
  try {
    no = await store.reopen(run, entry)
  } finally {
    if (no === null) dispatcher.notReopened(run)
  }
  return no === null ? undefined : { no, entry }
}
