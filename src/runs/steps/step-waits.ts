import type { NewWait, WaitNews } from '../../engine/effects.ts'
import type { ExecutableRun, RunStore } from '../../store/store.ts'
import { decodeEntry, type EncodedEntry } from '../record/journal-codec.ts'

interface StepWaitsDeps {
  readonly store: Pick<RunStore, 'openWait' | 'closeWait' | 'checkpoint'>
  readonly clock: { now(): number }
}

/** Writes for as long as the run is executed here; null where it is not any more. */
type WriteOwn = <T>(write: () => Promise<T | null>) => Promise<T | null>

/** Writes down that a step waits. Its children are counted since they were started: of those nothing more is to be said. */
export function openWait(
  run: ExecutableRun,
  { text, printed }: EncodedEntry,
  { id, node, kind, until, question }: NewWait,
  { store, clock }: StepWaitsDeps
): Promise<number | null> {
  if (kind === 'children') return store.checkpoint(run, text, printed)
  const asked = question === undefined ? null : JSON.stringify(question)
  // For whoever ends it from outside, the time of an attempt is a time like any other.
  const stored = kind === 'retry' ? 'time' : kind
  const wait = { id, node, kind: stored, createdAt: clock.now(), expiresAt: until, question: asked } as const
  return store.openWait(run, text, wait, printed)
}

/** The time of a wait has come, or its children may have ended. */
export async function closeWait(
  run: ExecutableRun,
  node: string,
  { store, clock }: StepWaitsDeps,
  write: WriteOwn
): Promise<WaitNews> {
  try {
    const standing = await write(() => store.closeWait(run, node, clock.now()))
    if (standing === null) return { state: 'lost' }
    if (standing.state !== 'woken') return standing
    const { woken = [] } = decodeEntry(standing.entry, undefined)
    const ours = woken.find((each) => each.node === node)
    return ours === undefined ? { state: 'over' } : { state: 'woken', woken: ours }
  } catch {
    // The service stops; whoever takes the run up next asks again.
    return { state: 'lost' }
  }
}
