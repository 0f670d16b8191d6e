import type { PageLimit } from '../../store/store.ts'
import type { PlaceLimits } from './run-places.ts'

/** How much is held in memory and read at once. Where two things meet at the edge of these, a simulation makes them small. */
export interface DispatchSizes {
  /** What may wait in memory; past that it waits in the store. */
  readonly windowRuns: number
  readonly windowBytes: number
  /** What is read of a flow at once. */
  readonly page: PageLimit
  /** Smaller, since each that is taken up is written down in the same turn: 40 µs each. */
  readonly duePage: PageLimit
  /** What is read where there is no room, for a flow with nothing in memory. */
  readonly smallPage: PageLimit
  /** Runs below one that is cancelled are looked for so many at a time. */
  readonly below: number
}

/** How long to wait before looking again after the store refused to be read. */
export const READ_RETRY_MS = 1_000

/** What keeps a process from taking on more than it can hold. */
export interface RunLimits {
  readonly backlog: number
  readonly places: PlaceLimits
  readonly sizes?: DispatchSizes | undefined
}

export const USUAL_SIZES: DispatchSizes = {
  windowRuns: 20_000,
  windowBytes: 16 * 1024 * 1024,
  page: { runs: 500, bytes: 4 * 1024 * 1024 },
  duePage: { runs: 64, bytes: 1024 * 1024 },
  smallPage: { runs: 16, bytes: 256 * 1024 },
  below: 500
}
