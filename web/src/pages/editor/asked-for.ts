/** What the assistant is opened for. */
export interface AskedFor {
  /** The node that failed in a run, to be repaired. */
  readonly repair?: Repair
}

export interface Repair {
  readonly run: string
  readonly node: string
}
