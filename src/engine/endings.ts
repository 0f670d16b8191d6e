import type { Checkpoints } from './checkpoints.ts'
import type { Effects, Ending } from './effects.ts'
import { allRecords, type Progress, runFailure } from './progress.ts'
import { type EndStatus, markNotReached } from './settle.ts'
import type { Waits } from './waits.ts'

/** How a run is handed over that has come to its end. */
export function endedAs(status: EndStatus, progress: Progress, startedAt: number): Ending {
  if (status === 'failed') markNotReached(progress.standing)
  const error = status === 'failed' ? runFailure(progress) : null
  return { kind: 'ended', status, error, startedAt, steps: allRecords(progress) }
}

/** How one is of which only waits are left. */
export function parkedWith(
  waits: Waits,
  progress: Progress,
  checkpoints: Checkpoints,
  effects: Effects
): Ending {
  const isHeldUp = progress.ready.some((index) => !waits.has(index))
  // The service stops: a step that could have started is not to wait for one that could not.
  const dueAt = isHeldUp ? effects.wallClock() : waits.dueAt
  const { pauses, awaited: awaits } = waits
  const entry = checkpoints.entry({
    ...(pauses.length > 0 && { waiting: pauses }),
    ...(awaits.length > 0 && { isParked: true })
  })
  return { kind: 'parked', entry, dueAt, awaits }
}
