import type { NewMessage } from './message-store.ts'
import type { RunRef } from './run.ts'

/** A moment that does not come: that at which a run is due which time does not wake. */
export const NEVER = 8_640_000_000_000_000

/**
 * Waits of steps. A run whose steps only wait is parked: it is in the store alone, in no process's memory, and counts neither
 * as backlog nor against a limit. It goes on when it is due, and whatever ends a wait before its time makes it due now:
 * `wake` from outside, the end of its last child from inside. A wait is found by its run and node.
 *
 *   open    → woken   by `wake`: once, and only before `expiresAt`
 *   open    → over    by `closeWait`, when its time has come; or because the run ended
 *   (none)  → woken   by `wake` with `early`: the run has not come to the wait yet
 */
export type WaitState = 'open' | 'woken' | 'over'

/** What somebody outside can end. Waits for children have no such row of their own making: see children.ts. */
export interface NewWait {
  /** What it is called outside. */
  readonly id: string
  readonly node: string
  readonly kind: 'time' | 'call' | 'answer'
  readonly createdAt: number
  /** Nobody can wake it from this moment on; null where there is no such moment. */
  readonly expiresAt: number | null
  /** What a person is asked, as JSON text; null where nobody is. */
  readonly question: string | null
}

export interface StoredWait extends NewWait {
  readonly runSeq: number
  readonly runId: string
  readonly flowId: string
  /** Its run tries a draft out. */
  readonly isTest: boolean
  readonly state: WaitState
  /** What was given with `wake`, as JSON text. */
  readonly answer: string | null
  readonly endedAt: number | null
}

export interface Wake {
  readonly run: RunRef
  readonly node: string
  readonly at: number
  /** Appended to the journal of the run: what came. */
  readonly entry: string
  /** Kept with the wait for those who list waits, as JSON text. */
  readonly answer: string | null
  /** It counts although the run may not have come to the wait yet. */
  readonly early?: true
}

export type WakeResult =
  | { readonly won: true; readonly no: number }
  /** The run has ended, or is orphaned; the wait is over, was woken before, or there is none. */
  | { readonly won: false; readonly because: 'ended' | 'over' | 'woken' | 'none' }

/** How a wait stands that its run asks about: `entry` is what it was woken with; `lost`: the run is somebody else's now. */
export type WaitStanding =
  | { readonly state: 'open' }
  | { readonly state: 'over' }
  | { readonly state: 'lost' }
  | { readonly state: 'woken'; readonly entry: string }

export interface WaitFilter {
  readonly kind: NewWait['kind']
  readonly state?: WaitState
  readonly flowIds?: readonly string[]
  readonly runSeq?: number
  /** Only waits that are older than this one: where the last page ended. */
  readonly before?: { readonly createdAt: number; readonly id: string }
  readonly limit: number
}

export interface WaitStore {
  /**
   * A checkpoint after which one step of the run waits. Where an early `wake` has come for this node, the wait is woken from
   * the start. A wait that the node had before, and that is no longer open, makes room. Null when the run has ended.
   */
  openWait(run: RunRef, entry: string, wait: NewWait, printed?: readonly NewMessage[]): Promise<number | null>
  /** The one way in which something outside ends a wait. A parked run is due from now on. */
  wake(wake: Wake): Promise<WakeResult>
  /**
   * Its time has come: the wait is over, unless it was woken before. Of a wait for children, tells only whether it is over;
   * see ChildStore.
   */
  closeWait(run: RunRef, node: string, at: number): Promise<WaitStanding>
  waitById(id: string): Promise<StoredWait | undefined>
  /** Newest first. */
  listWaits(filter: WaitFilter): Promise<StoredWait[]>
}
