import type { Fault } from '../../../../src/errors.ts'

/** Where the document that is edited stands at the service. */
export interface DraftStanding {
  /** 0 where there is no draft: what is edited is what is live. */
  readonly revision: number
  /** The live version that it was made from. */
  readonly baseVersion: number
  readonly liveVersion: number
  /** What keeps it from being published. */
  readonly faults: readonly Fault[]
  /** What is probably not meant. */
  readonly warnings: readonly Fault[]
}
