import type { Pause } from '../api/shapes.ts'

/** A flow that something is done with, and what it is called. */
export interface NamedFlow {
  readonly id: string
  readonly name: string
  readonly paused?: Pause | null
}
