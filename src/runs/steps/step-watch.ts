/** A step by the number of its run and its place in the plan. */
export interface PlacedStep {
  readonly seq: number
  readonly index: number
}

/** Whoever watches over the thread is told what it computes. Hot: once per step, so it must cost next to nothing. */
export interface StepWatch {
  /** The step at this place of the plan holds the thread from now on, until `left`. */
  began(seq: number, index: number): void
  left(): void
  /** The step waits for something, until the promise has settled. */
  waits(seq: number, index: number, promise: Promise<unknown>): void
  /** Runs up to this one were left by a process that died: what they do now is to outlive this process. */
  suspect?(newestSeq: number): void
  /** The place of the step of this run in the middle of which the process before this one died, as did the one before that. */
  takeDeadly?(seq: number): number | undefined
  /** The same where the one before that died of something else: it is tried alone. */
  takeSuspect?(seq: number): number | undefined
}

/** For a service whose process is somebody else's. */
export const NO_STEP_WATCH: StepWatch = { began() {}, left() {}, waits() {} }
