/** A step that held the service's thread until the process was ended. */
export interface HungStep {
  /** Of its run. */
  readonly seq: number
  readonly node: string
}

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
}
