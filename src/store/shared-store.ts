import type { ToldCall } from '../flows/step/step-calls.ts'
import type { FileParts } from './file-parts.ts'
import type { EndStatus, RunRef, Store, StoredFlow, StoredRun } from './store.ts'
import type { TriggerOwners } from './triggers.ts'

/** A store that several processes share, with what they need to share the work and to learn of each other. */
export interface SharedStore extends Store {
  readonly kind: 'postgres'
  readonly queue: RunQueue
  readonly signals: Signals
  readonly processes: Processes
  readonly library: SharedLibrary
  readonly rates: RateBuckets
  readonly paces: SharedPaces
  readonly fileParts: FileParts
  readonly triggerOwners: TriggerOwners
}

export function isSharedStore(store: Store): store is SharedStore {
  return store.kind === 'postgres'
}

// ----------------------------------------------------------------------------------------------------- queue

/** A run that this process may execute. Nobody else can write its result while the claim holds. */
export interface ClaimedRun extends StoredRun {
  readonly claim: string
  /** How many processes have died with it in hand. */
  readonly deaths: number
  /** It was parked until now. */
  readonly wasParked: boolean
  /** When it was taken up, by the clock of the database. */
  readonly takenAt: number
  /** See RunRef. */
  readonly isTied?: true
  /** Somebody wanted it cancelled before it was taken up. */
  readonly isToCancel?: true
}

/** What a process hears of the runs that it has claimed. */
interface Beat<Run> {
  /** Those whose claim holds no longer. */
  readonly lost: readonly Run[]
  /** Those that are to be cancelled: somebody wants it, or they are orphaned, as `ChildStore.isOrphaned` has it. */
  readonly cancelled: readonly Run[]
}

export type ClaimToKeep = Pick<ClaimedRun, 'seq' | 'flowId' | 'claim' | 'parent'>

export interface ClaimWish {
  readonly flowId: string
  readonly most: number
  /** Runs of this flow that all processes together may have claimed; null is no limit. */
  readonly limit: number | null
}

export interface RunQueue {
  /** Flows with runs that could be taken up now. */
  flowsWithWork(): Promise<string[]>
  /** Whether runs of some flow have waited for a while although none of it is under way, so that no limit keeps them. */
  isStuck(): Promise<boolean>
  /**
   * Takes up runs, oldest first, for each flow at most as many as wished for and as its limit leaves. May take
   * fewer while another process takes runs of the same flow.
   */
  claim(wishes: readonly ClaimWish[]): Promise<ClaimedRun[]>
  /** Tells that these go on. */
  heartbeat<Run extends ClaimToKeep>(runs: readonly Run[]): Promise<Beat<Run>>
  /** Whoever has the run hears by its next heartbeat that it is to be cancelled, and so does who takes it up after them. False where it is not claimed so. */
  wantCancel(run: ClaimToKeep): Promise<boolean>
  /** Lets others take these up at once. */
  giveBack(runs: readonly RunRef[]): Promise<void>
  /**
   * Gives back what dead processes have claimed; resolves to the flows that have work by that. None is, where the database has stood
   * still since `inTouchAt` by its clock: nobody could say meanwhile that they are alive.
   */
  reclaimAbandoned(inTouchAt: number): Promise<string[]>
  /** How those of these runs ended that have. */
  endsOf(runIds: readonly string[]): Promise<Map<string, EndStatus>>
}

// --------------------------------------------------------------------------------------------------- signals

/** What all processes hold in memory. */
export type LibraryPart = 'flows' | 'contexts' | 'keys' | 'connections'

/** A piece of the text of a step. */
export interface TextPiece {
  readonly flowId: string
  readonly runId: string
  readonly node: string
  readonly at: number
  readonly text: string
}

/** A tool that a step calls, or what it gave. */
export interface ToolPiece extends Omit<TextPiece, 'at' | 'text'> {
  readonly tool: ToldCall
}

/** A page of somebody who has a flow open. */
export interface PresentPage {
  /** A name that the page has made for itself. */
  readonly page: string
  /** The name of the key. */
  readonly name: string
  /** The node that is looked at. */
  readonly node: string | null
  readonly since: number
}

interface ToldPresence {
  readonly flowId: string
  readonly page: PresentPage
  readonly gone?: true
}

/** Something that other processes should know soon. */
export interface Signal {
  /** Flows with runs that wait to be taken up. */
  readonly work?: readonly string[]
  /** Flows whose runs have changed, each with the number of its newest change. */
  readonly changed?: Readonly<Record<string, number>>
  /** What all hold in memory has changed, up to these revisions. */
  readonly saved?: Readonly<Partial<Record<LibraryPart, number>>>
  /** This process has brought in what others saved, up to these revisions. */
  readonly broughtIn?: Readonly<Partial<Record<LibraryPart, number>>>
  /** Who tells; absent where nobody does. */
  readonly from?: string
  /** Flows whose drafts were saved, published or discarded. */
  readonly drafts?: readonly string[]
  /** Flows whose comments have changed. */
  readonly comments?: readonly string[]
  /** Pages that have a flow open, or no longer. */
  readonly presence?: readonly ToldPresence[]
  /** Ids of runs that may have to be cancelled: whoever executes one of them is to ask the store. */
  readonly cancel?: readonly string[]
  /** Ids of runs with a wait that somebody has ended: whoever executes one of them is to look. */
  readonly woken?: readonly string[]
  /** Ids of runs that have answered who called their flow, or have ended: whoever holds such a caller is to look. */
  readonly answered?: readonly string[]
  /** Text that steps put out while they work, and the tools that they call, for who listens now. */
  readonly text?: readonly (TextPiece | ToolPiece)[]
  /** The flows whose text somebody listens to at the one who tells, and no others; null is all. */
  readonly listening?: readonly (string | null)[]
  /** Runs wait, and the one who tells takes none up although it could. */
  readonly still?: true
  /** Signals may have been missed: whatever depends on them has to look for itself. */
  readonly missed?: true
}

/**
 * Hints between processes: they save waiting and never carry what must not be lost. Whoever listens also looks by
 * itself now and then.
 */
export interface Signals {
  /** To all other processes, gathered with others for a few milliseconds. */
  tell(signal: Signal): void
  /** Resolves when all that was told before is on its way to the others, or cannot be. */
  flush(): Promise<void>
  /** Returns what ends it. */
  listen(listener: (signal: Signal) => void): () => void
}

// ------------------------------------------------------------------------------------------------- processes

export interface ProcessFacts {
  readonly id: string
  readonly role: string
  readonly host: string
  readonly pid: number
  readonly version: string
}

/** What a process learns each time it says that it is alive. */
export interface Pulse {
  /** One of all processes is the leader: it does what has to be done once. */
  readonly isLeader: boolean
  /** What the clock of the database said meanwhile, in milliseconds since 1970. */
  readonly at: number
  /** Unfinished runs, as the leader counted them last, and how long ago that was. */
  readonly backlog: number
  readonly backlogAgeMs: number
  /** Processes that execute runs, this one included where it does. */
  readonly workers: number
  /** Processes that have said nothing for a while, and have not taken leave: what they had still to tell, nobody hears. */
  readonly silent: number
  /** See RunStore.lastChange. */
  readonly lastChange: number
  readonly revisions: Readonly<Record<LibraryPart, number>>
}

export interface Processes {
  /** What the clock of the database says: the one that all go by. */
  now(): Promise<number>
  pulse(facts: ProcessFacts): Promise<Pulse>
  /** Counts the backlog for all and forgets processes that have been silent for long: the leader's work. */
  runMaintenance(): Promise<void>
  /** It is gone, and leads no longer. */
  leave(id: string): Promise<void>
  /** One process at a time does this, and the others wait. */
  inTurn<T>(task: () => Promise<T>): Promise<T>
}

// --------------------------------------------------------------------------------------------------- library

export interface FlowNews {
  readonly revision: number
  readonly live: readonly StoredFlow[]
  readonly removed: readonly string[]
}

interface SharedLibrary {
  /** Flows that were saved or removed after this revision. */
  flowsSince(revision: number): Promise<FlowNews>
  /**
   * Resolves when the other web processes have all of this part that was saved here until now, or have had a second to
   * bring it in. A save itself does not wait for them: who saves has to make it live here first.
   */
  confirmed(part: LibraryPart): Promise<void>
}

// ----------------------------------------------------------------------------------------------- rate limits

interface RateGrant {
  /** So many of those wanted are granted. */
  readonly granted: number
  /** What is left for now; may be a fraction. */
  readonly level: number
}

export interface SharedPaces {
  /** Takes so many moments of a connection at its rate, each `everyMs` after the one before: milliseconds until the first. */
  reserve(pace: string, everyMs: number, wanted: number): Promise<number>
}

export interface RateBuckets {
  /** Takes out of the flow's bucket, which holds one minute's worth and fills evenly. */
  take(flowId: string, perMinute: number, wanted: number): Promise<RateGrant>
}
