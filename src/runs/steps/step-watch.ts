/** Whoever watches over the thread is told what it computes. Hot: once per step, so it must cost next to nothing. */
export interface StepWatch {
  /** The step at this place of the plan holds the thread from now on, until `left`. */
  began(seq: number, index: number): void
  left(): void
  /** The step waits for something, until the promise has settled. */
  waits(seq: number, index: number, promise: Promise<unknown>): void
}

/** For a service whose process is somebody else's. */
export const NO_STEP_WATCH: StepWatch = { began() {}, left() {}, waits() {} }
