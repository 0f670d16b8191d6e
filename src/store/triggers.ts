/** Why a trigger does not work, and since when. */
export interface TriggerFault {
  readonly message: string
  readonly at: number
}

/** What is known of the trigger of a node. */
export interface StoredTrigger {
  readonly flowId: string
  readonly node: string
  /**
   * How far it has got: for a schedule the time of its last tick, for failures the number of the last one, for a watch how many items it has
   * taken, with gaps. Null before.
   */
  readonly mark: number | null
  readonly fault: TriggerFault | null
}

/** Which event of a trigger a run is started for; each has a greater mark than those before. */
export interface TriggerEvent {
  readonly node: string
  readonly mark: number
}

/** What a trigger that finds things by looking has found before, in its own words, and its mark. */
export interface SeenByTrigger {
  readonly mark: number
  readonly seen: string | null
}

/** What a trigger has taken and not started yet: the first of these with the mark `from`, the next with the one after it, and so on. */
export interface TakenByTrigger {
  readonly from: number
  /** What their runs are given, each in JSON on a line of its own. None where all of these have had their run. */
  readonly items: readonly string[]
  /** What is forgotten with them. */
  readonly page: number
}

export interface TriggerStore {
  /** Of this flow, or of all. */
  list(flowId?: string): Promise<StoredTrigger[]>
  /** What came before does not count any more, or counts again. */
  setMark(flowId: string, node: string, mark: number): Promise<void>
  /** Only forward. */
  advanceMark(flowId: string, node: string, mark: number): Promise<void>
  /** The mark is 0 where nothing is known. */
  seen(flowId: string, node: string): Promise<SeenByTrigger>
  /**
   * All or nothing, and false, where the mark is not the one before any more: somebody else goes on from there. `taken` are to
   * start runs, the first with the mark after that of `seen`; they take the place of those that were taken before.
   */
  keepSeen(
    flowId: string,
    node: string,
    seen: SeenByTrigger,
    before: number,
    taken?: readonly string[]
  ): Promise<boolean>
  /** As many as are read at once, in order; undefined where nothing is left. */
  taken(flowId: string, node: string): Promise<TakenByTrigger | undefined>
  /** They have had their run. */
  forgetTaken(flowId: string, node: string, page: number): Promise<void>
  setFault(flowId: string, node: string, fault: TriggerFault | null): Promise<void>
}

/** Which of the processes that share the store has the triggers. */
export interface TriggerOwners {
  /** True where this process has them from now on for LEASE_MS, however often it asks. */
  claim(processId: string): Promise<boolean>
  /** Another one may have them at once. */
  release(processId: string): Promise<void>
}

/** For so long a process has the triggers without saying so again. */
export const LEASE_MS = 10_000
