import { type Clock, systemClock } from '../clock.ts'
import { type SharedClock, sharedClock } from '../runs/sharing/shared-clock.ts'
import { isSharedStore } from '../store/shared-store.ts'
import type { Store } from '../store/store.ts'

/** The time that everything goes by: where processes share a store it is the database's. One that is handed in is the time, whatever others say. */
export async function clockOfStore(
  store: Store,
  given: Clock | undefined
): Promise<Pick<SharedClock, 'clock'> & Partial<SharedClock>> {
  if (given !== undefined) return { clock: given }
  const own = systemClock()
  if (!isSharedStore(store)) return { clock: own }
  const shared = sharedClock(own)
  const askedAt = own.stopwatch()
  shared.told(await store.processes.now(), askedAt)
  return shared
}
