import { voidEntries } from '../../engine/void-entries.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import type { ExecutorDeps } from './executing-run.ts'
import type { RunInMemory } from './run-window.ts'
import type { RunWrites } from './run-writes.ts'

/** Shorter journals are read faster than they are looked through. */
const LONG_JOURNAL = 64

/** Of a run that waits again and again, what tells nothing any more is deleted, so that its journal stays short. */
export function forgetEntries(
  { run, journal }: Pick<RunInMemory, 'run' | 'journal'>,
  writes: Pick<RunWrites, 'own'>,
  { store }: Pick<ExecutorDeps, 'store'>
): void {
  if (journal.length < LONG_JOURNAL) return
  const isVoid = voidEntries(journal.map((entry) => decodeEntry(entry, undefined)))
  const texts = journal.filter((_, place) => isVoid[place])
  // When the service stops, or the run is not ours any more, whoever takes it up next does it.
  if (texts.length > 0) writes.own(() => store.forgetEntries(run, texts).then(() => true)).catch(() => {})
}
