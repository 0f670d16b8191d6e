/** A step that held the service's thread until the process was ended. */
export interface HungStep {
  /** Of its run. */
  readonly seq: number
  readonly node: string
}

/** How a step took its process with it: it held the thread, or was in hand when the process died. */
export type Death = 'hung' | 'crashed'

/** A node of a version of a flow in which more than one run took its process with it. */
export interface DeadlyNode {
  readonly flowId: string
  readonly flowVersion: number
  readonly node: string
  readonly death: Death
}

/** In so many runs, counted with all that they started, the node of one version has to be deadly before it is begun in none. */
export const DEADLY_RUNS = 2

export interface RunOfFlow {
  readonly runId: string
  /** Of the flow, in the run's version. */
  readonly document: string
}

/** Where hung steps are noted, by a thread beside the service's own that has a connection to itself. */
export interface HungStepNotes {
  findRun(seq: number): Promise<RunOfFlow | undefined>
  add(step: HungStep, at: number): Promise<void>
  close(): Promise<void>
}

export interface HungSteps {
  /** Those of a run, or of all; each as often as it was noted since the run was accepted or opened again. */
  hungSteps(seq?: number): Promise<HungStep[]>
  /** Notes a step that the process was found to have died of. */
  noteCrash(step: HungStep, at: number): Promise<void>
  /**
   * Those of at least DEADLY_RUNS runs, as long as these are kept and have not been opened again. A run and what it started, such as
   * the items of a list, count once: they came by one request. What is tried out tells nothing of a version.
   */
  deadlyNodes(): Promise<DeadlyNode[]>
}
