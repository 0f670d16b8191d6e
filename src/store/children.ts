import type { ModelUsage } from './model-usage.ts'
import type { AcceptedRun, EndStatus, NewRun, Outcome, ParentRef, RunRef, StoredOutcome } from './run.ts'

export interface NewChild extends NewRun {
  readonly parent: ParentRef
  /** It runs the document that its parent tries out. */
  readonly isTest?: true
}

export interface ExecutedChild {
  readonly child: NewChild
  readonly outcome: Outcome
}

/** How the children of one node are executed. */
export interface ChildRules {
  /** So many at the same time; the others are in line, in the store. */
  readonly atOnce: number
  /** The first that fails ends the wait of the parent, and no further one begins. */
  readonly stopsOnFailure: boolean
}

export interface Child {
  readonly seq: number
  readonly id: string
  readonly flowId: string
  readonly index: number
  readonly outcome: Pick<StoredOutcome, 'status' | 'finishedAt' | 'error' | 'steps'> | null
}

/** A child that is to be opened again. */
export interface Reopening {
  readonly run: RunRef
  readonly index: number
  /** What its journal begins with. */
  readonly entry: string
  /** As of a run that is opened again by itself. */
  readonly calledAnew?: readonly string[]
}

/** How many children of a node there are, by how they ended. */
export interface ChildCounts extends Readonly<Record<EndStatus, number>> {
  readonly open: number
}

export const NO_CHILDREN: ChildCounts = { succeeded: 0, failed: 0, cancelled: 0, open: 0 }

/** A run that has not ended, with what it takes to tell whoever executes it. */
export interface OpenRun extends RunRef {
  readonly id: string
  /** Where processes share the store: one of them has taken it up. */
  readonly isClaimed?: true
}

/** Of a flow, and where it runs: its caller may lend it another context. */
export type FlowVersion = Pick<NewRun, 'flowId' | 'flowVersion' | 'context'>

/**
 * Children of a run, by the node that started them. Those that the parent waits for are counted: the end of the last one, or
 * of the first that fails where the rules say so, makes a parked parent due. A child that is in line has its turn at
 * the end of another one.
 *
 * When the parent ends, or drops them, all that are parked become due; whoever takes one up finds it orphaned and cancels it.
 * So a crash between the end of the parent and that of its children leaves none behind.
 *
 * A node has one child of each index: whoever brings a second one, as an attempt of the step that ran out of time or a write whose
 * answer was lost, leaves it out. Under a claim that holds no longer nothing is changed, as if the parent had ended.
 */
export interface ChildStore {
  /**
   * Accepts children of a node; resolves to those that may begin now, or to null when the parent has ended. May be called again
   * for more. Once the parent had ended or had dropped them, it begins anew: what failed before does not count any more.
   */
  startChildren(
    parent: RunRef,
    node: string,
    children: readonly NewChild[],
    rules: ChildRules
  ): Promise<AcceptedRun[] | null>
  /**
   * Keeps children that were executed where their parent is, in one go: accepted and ended in the same moment, so that none
   * was ever queued. False when the parent has ended.
   */
  recordChildren(parent: RunRef, node: string, children: readonly ExecutedChild[]): Promise<boolean>
  /** Accepts one that its parent does not wait for. Null when the parent has ended, or has one already. */
  startDetached(parent: RunRef, child: NewChild): Promise<AcceptedRun | null>
  /**
   * Opens failed or cancelled children of a node again for a parent that goes on. Each is due at once, or when its turn comes.
   * Resolves to the numbers of these changes: null for one that is open already, and for all when the parent has ended. Before more
   * of the same node are started.
   */
  reopenChildren(
    parent: RunRef,
    node: string,
    children: readonly Reopening[],
    rules: ChildRules
  ): Promise<(number | null)[]>
  /** Those that are left are to end: from now on they are orphaned. */
  dropChildren(parent: RunRef, node: string): Promise<void>
  /**
   * A child is orphaned when the wait that counts it is over, or is gone with its parent; or when one above it was cancelled, and
   * neither it nor one between was opened again by itself since. One that is orphaned is to be cancelled.
   */
  isOrphaned(seq: number): Promise<boolean>
  /** Children of a node in the order of their index, from this one on. */
  children(parentSeq: number, node: string, fromIndex: number, limit: number): Promise<Child[]>
  /** The child of a node with the highest index. */
  lastChild(parentSeq: number, node: string): Promise<Child | undefined>
  /** All children of a node, those that have not begun included. */
  countChildren(parentSeq: number, node: string): Promise<ChildCounts>
  /** What all runs below this one used of models, of those that were waited for and have ended; by model. */
  usageBelow(seq: number): Promise<readonly ModelUsage[]>
  /** Those of the open runs below this one that are orphaned, nearest first: looked for among all that are open. */
  orphanedBelow(seq: number, limit: number): Promise<OpenRun[]>
  /** Open runs below this one, nearest first. */
  openBelow(seq: number, limit: number): Promise<OpenRun[]>
  /** Some of the open runs of a flow, those that others started included, in no order. */
  openOf(flowId: string, limit: number): Promise<OpenRun[]>
  /** The versions of flows on which runs go on that others started, each once for each context, in no order. */
  openChildVersions(): Promise<FlowVersion[]>
}
