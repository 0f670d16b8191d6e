import type { ChildStore } from './children.ts'
import type { Delivery, Repetition } from './deliveries.ts'
import type { HungSteps } from './hung-steps.ts'
import type { InputStart } from './input-start.ts'
import type { LongPiece } from './long-piece.ts'
import type { NewMessage } from './message-store.ts'
import type { QueueState } from './queue-state.ts'
import type {
  AcceptedRun,
  EndStatus,
  NewRun,
  Outcome,
  ReopenConditions,
  RunRef,
  StoredOutcome
} from './run.ts'
import type { RunStats, StatsQuestion } from './stats.ts'
import type { TriggerEvent } from './triggers.ts'
import type { WaitStore } from './waits.ts'

export type { AcceptedRun, EndStatus, NewRun, Outcome, ParentRef, RunRef, StoredOutcome } from './run.ts'

/** What came of a run that was to start unless its delivery is known. */
export type Acceptance = { readonly verdict: 'accepted'; readonly run: AcceptedRun } | Repetition

/** A run as whoever executes it needs it. A body is read as text there; a store that has it as text gives that. */
export interface ExecutableRun extends Omit<AcceptedRun, 'input'>, Pick<RunRef, 'claim'> {
  readonly input: Uint8Array | string
}

/** A queued run, with its journal. */
export interface QueuedRun extends ExecutableRun {
  readonly journal: readonly string[]
}

/** At most so many runs with so many bytes of inputs and journals, and one run at least. */
export interface PageLimit {
  readonly runs: number
  readonly bytes: number
}

export interface QueuedPage {
  readonly runs: readonly QueuedRun[]
  /** Nothing was left after them. */
  readonly isLast: boolean
}

export interface StoredRun extends AcceptedRun {
  readonly outcome: StoredOutcome | null
  /** Journal entries in order; empty for a run that has not reached a checkpoint. */
  readonly journal: readonly string[]
  /** Where processes share the store: one of them has taken the run up. */
  readonly isClaimed?: true
  /** It is parked, and a step of it waits for a time, a call, an answer or children: a pause between attempts is none. */
  readonly isWaiting?: true
  /** It has no turn yet among the children of its parent, to begin or to go on. */
  readonly isInLine?: true
}

/** A run as somebody reads it who ends it past whoever executes it. */
export interface RunToEnd extends StoredRun {
  /** Where it is; null where it has ended. */
  readonly state: QueueState | null
  /** The number of the last entry of its journal; 0 where it has none. */
  readonly lastEntry: number
  /** Where processes share the store: the claim under which one of them has taken it up. */
  readonly claimedUnder?: string
  /** The same: whoever has it, or takes it up, is to cancel it. Told of no run that was opened again since that was asked for. */
  readonly isCancelWanted?: boolean
}

export interface RunFilter {
  readonly flowIds?: readonly string[]
  /** `open`: no outcome yet. `waiting`: see StoredRun.isWaiting. `not waiting`: all others that are open. */
  readonly status?: EndStatus | 'open' | 'waiting' | 'not waiting'
  /** Only the children of this run; without it, only runs that no other one started. */
  readonly parentSeq?: number
  /** Of these children, only some. */
  readonly childrenOf?: ChildRange
  /** Finds a run id that begins with it, or text inside the input or the error, without regard to case. */
  readonly text?: string
  readonly since?: number
  readonly until?: number
  /** Only tests, or none; both where it is left out. */
  readonly isTest?: boolean
  /** Only runs accepted before this number: where the last page ended. */
  readonly before?: number
  readonly limit: number
  /** Ends the search early, with a page that is not full and a `next` to go on from. */
  readonly effort?: Effort
}

/** Children of one node, by their index. */
export interface ChildRange {
  readonly node: string
  readonly fromIndex?: number
  readonly belowIndex?: number
}

/** What a search may cost: so many runs are looked at, and for so long. */
export interface Effort {
  readonly runs: number
  readonly ms: number
}

/** A run in a list: steps, input and the whole journal only when the run is read by itself. */
export interface RunSummary extends Omit<AcceptedRun, 'input' | 'request'> {
  readonly outcome: Omit<StoredOutcome, 'steps'> | null
  /** Of its journal, while it is open; null where it has not reached a checkpoint. */
  readonly firstEntry: string | null
  readonly isClaimed?: true
  readonly isWaiting?: true
  readonly isInLine?: true
}

/** A run as it is found: with the beginning of its input, which tells it from others. */
export interface FoundRun extends RunSummary {
  readonly inputStart: InputStart
}

/** One change of a flow, as server-sent events are made from it. Payloads are not in it: events never hold one. */
export type Change = { readonly no: number; readonly flowId: string } & (
  | { readonly kind: 'accepted'; readonly run: Omit<AcceptedRun, 'input' | 'request'> }
  | { readonly kind: 'journal'; readonly runId: string; readonly entry: string }
  | { readonly kind: 'ended'; readonly runId: string; readonly outcome: StoredOutcome }
)

/** A run that failed. */
export interface Failure {
  /** Of its end; one that was retried and failed again has another. */
  readonly no: number
  readonly runId: string
  readonly flowId: string
}

export interface RetentionRule {
  /** Runs that ended before this moment go. */
  readonly endedBefore?: number
  /** Of the ended runs only so many stay, those that ended last. */
  readonly keep?: number
  /** At most so many runs go in one slice. */
  readonly slice: number
}

export interface RunStore extends HungSteps, WaitStore, ChildStore {
  accept(run: NewRun): Promise<AcceptedRun>
  /** Accepts a run of this document, which is no version of the flow and is kept with the run, as is its scope. */
  acceptTest(run: NewRun, document: string, scope?: string): Promise<AcceptedRun>
  /** Of a test; undefined for any other run. */
  testDocument(seq: number): Promise<string | undefined>
  /** Of a test that was accepted with one. */
  testScope(seq: number): Promise<string | undefined>
  /** Accepts a run unless one of its deliveries has started another one within a day, whichever process that came to. */
  acceptOnce(run: NewRun, deliveries: readonly Delivery[]): Promise<Acceptance>
  /** Accepts a run for an event of a trigger; undefined where the trigger has got as far already, whichever process did that. */
  acceptEvent(run: NewRun, event: TriggerEvent): Promise<AcceptedRun | undefined>
  /**
   * Appends to the journal of an open run; resolves to the change's number, or null when the run has ended. `printed`: what its
   * steps have said by now, which others read from then on; what is there already is left out, here, in park and at the end.
   */
  checkpoint(run: RunRef, entry: string, printed?: readonly NewMessage[]): Promise<number | null>
  /** Entries of the journal that later ones have made void, by their text. */
  forgetEntries(run: RunRef, entries: readonly string[]): Promise<void>
  /**
   * A checkpoint after which the run waits, out of memory, until `dueAt`; null where time does not wake it. `awaits`: nodes
   * that wait for something outside, or for children. Where one of those waits has come to its end meanwhile, the run is
   * due at once.
   */
  park(
    run: RunRef,
    entry: string,
    dueAt: number | null,
    awaits?: readonly string[],
    printed?: readonly NewMessage[]
  ): Promise<number | null>
  /** Ends an open run; resolves to the change's number, or null when it had ended already. */
  end(run: RunRef, outcome: Outcome): Promise<number | null>
  readToEnd(id: string): Promise<RunToEnd | undefined>
  /**
   * Ends an open run past whoever executes it; null when it has ended, or is not as it was read: then something was done
   * that the outcome does not know of, or somebody else has it.
   */
  endAsRead(run: RunToEnd, outcome: Outcome): Promise<number | null>
  /** Keeps a piece of a long value of an open run until the run is deleted; false when the run has ended. */
  keepPiece(run: RunRef, piece: LongPiece): Promise<boolean>
  /** Undefined where there is none, or none any more. */
  readPiece(seq: number, name: string, piece: number): Promise<Uint8Array | undefined>
  /** Opens a failed or cancelled run again with a journal of this one entry; null when it is open already, or `only` is not so any more. */
  reopen(run: RunRef, entry: string, only?: ReopenConditions): Promise<number | null>

  /** Runs per flow that are queued or claimed; see queue-state.ts. */
  backlog(): Promise<Map<string, number>>
  /** Of these flows, how many runs are paused; those without any are left out. */
  countPaused(flowIds: readonly string[]): Promise<Map<string, number>>
  /** Queued or claimed runs of a flow, oldest first, after this number. */
  queued(flowId: string, after: number, limit: PageLimit): Promise<QueuedPage>
  /** Parked runs of a flow that are due, earliest first. Taking one ends its parking. */
  takeDue(flowId: string, now: number, limit: PageLimit): Promise<QueuedPage>
  /** Flows with parked runs that are due. */
  flowsDue(now: number): Promise<string[]>
  /** When the first parked run is due that is due after this moment. */
  nextDue(after: number): Promise<number | null>

  get(id: string): Promise<StoredRun | undefined>
  /** These runs in this order: as many of the first as take so many bytes together, and one at least. */
  first(seqs: readonly number[], bytes: number): Promise<StoredRun[]>
  /** Newest first. Long searches go through the table in slices, so accepting never waits for one. */
  list(filter: RunFilter): Promise<{ runs: FoundRun[]; next: number | null }>
  /** The newest runs of each of these flows but for tests, newest first; a flow without runs may be absent. */
  recent(flowIds: readonly string[], limit: number): Promise<Map<string, RunSummary[]>>
  /** One entry per span; tests are not counted. Goes through the runs in slices, as `list` does, and one question after the other. */
  stats(question: StatsQuestion): Promise<RunStats[]>
  /**
   * Changes of these flows, or of all (null), after this number, in order. Where they are large there may be fewer
   * than `limit`; only where none is left there are none.
   */
  changes(flowIds: readonly string[] | null, after: number, limit: number): Promise<Change[]>
  /** How many such changes there are; counts no further than `most`. */
  countChanges(flowIds: readonly string[] | null, after: number, most: number): Promise<number>
  /**
   * The number up to which all is said: every change with this number or a smaller one can be read, or never will
   * be. In a store with one process it is the number of the newest change; where several write, a change may
   * become visible after one with a larger number, and this stays below until it has.
   */
  lastChange(): Promise<number>
  /** Runs that failed but for children of others, by the number of their end, after this one; as `lastChange` says, none is left out before another. */
  failures(after: number, limit: number): Promise<Failure[]>
  /** The number of the last one that had failed before this moment; 0 where none had. */
  lastFailureBefore(at: number): Promise<number>
  /** The newest run that gave this node an output, with its steps. */
  latestWithOutput(flowId: string, node: string): Promise<StoredRun | undefined>
  /** Deletes one slice of ended runs with all that belongs to them; resolves to how many went. */
  prune(rule: RetentionRule): Promise<number>
  /** Deletes these runs with all that belongs to them, those below them included; one that is open stays. */
  deleteEnded(seqs: readonly number[]): Promise<void>
  /** Deletes one slice of the deliveries that were accepted before this moment; resolves to how many went. */
  forgetDeliveries(acceptedBefore: number, slice: number): Promise<number>
}
