import { type Approver, startApprover } from './approver.ts'
import { type Caller, startCaller } from './caller.ts'
import { type Canceller, startCanceller } from './canceller.ts'
import { SUB_SLUG } from './program.ts'
import { seededRandom } from './seeded-random.ts'
import type { Accepted } from './sender.ts'

/** All who have to do with runs after these were accepted. */
export interface People {
  readonly caller: Caller
  readonly approver: Approver
  readonly canceller: Canceller
  /** A request was accepted. */
  accepted(one: Accepted): void
  readonly faults: readonly string[]
  /** When nothing is left that they could be needed for; what they have not done by then is given up. */
  finish(withinMs: number): Promise<void>
}

export function startPeople({
  urls,
  seed
}: {
  readonly urls: readonly string[]
  readonly seed: number
}): People {
  const caller = startCaller({ urls, random: seededRandom(seed + 1) })
  const approver = startApprover({ urls, random: seededRandom(seed + 2), flow: SUB_SLUG })
  const canceller = startCanceller({ urls, random: seededRandom(seed + 3) })
  return {
    caller,
    approver,
    canceller,
    accepted({ flow, runId }) {
      if (flow === 'program') caller.take(runId)
      else if (flow === 'cancelled') canceller.take(runId)
    },
    get faults() {
      return [...caller.faults, ...approver.faults, ...canceller.faults]
    },
    async finish(withinMs) {
      await Promise.all([caller.finish(withinMs), approver.finish(), canceller.finish(withinMs)])
    }
  }
}
