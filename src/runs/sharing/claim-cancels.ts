import type { OpenRun } from '../../store/children.ts'
import type { RunToEnd, StoredRun } from '../../store/store.ts'
import type { Claim, Claims } from './claims.ts'
import type { Heartbeats } from './heartbeats.ts'

export interface ClaimCancelsDeps {
  readonly claims: Claims
  readonly heartbeats: Pick<Heartbeats, 'beat'>
  readonly isClaiming: () => boolean
  readonly cancel: (claim: Claim) => void
  readonly lose: (claim: Claim) => void
  /** Lets whoever has taken the run up, somewhere, cancel it; false where nobody has it as it was read. */
  readonly wantCancel: (run: RunToEnd) => Promise<boolean>
  /** Tells whoever executes one of these, somewhere, to ask the store whether to cancel it. */
  readonly tellToAsk: (runIds: readonly string[]) => void
}

/**
 * Cancels of runs that this process holds, or another one. A cancel is meant for the run as somebody has read it: until it is heard the
 * run may have ended and been opened again. So a claim is compared, or the store asked, and never cancelled by the id alone.
 */
export class ClaimCancels {
  readonly #deps: ClaimCancelsDeps
  /** Runs that may have been cancelled while a claim was under way, which may have taken them up. */
  readonly #doubted = new Set<string>()

  constructor(deps: ClaimCancelsDeps) {
    this.#deps = deps
  }

  async cancel(run: RunToEnd): Promise<boolean> {
    const { wantCancel, claims, cancel } = this.#deps
    if (!(await wantCancel(run))) return false
    const here = claims.get(run.id)
    if (here !== undefined && here.run.claim === run.claimedUnder) cancel(here)
    // The claim that has taken it up may be under way.
    else this.mayBeCancelled([run.id])
    return true
  }

  /** Returns those that nobody has. */
  stopOrphaned(runs: readonly OpenRun[]): readonly OpenRun[] {
    const elsewhere = runs.filter(({ id }) => this.#deps.claims.get(id) === undefined)
    this.mayBeCancelled(runs.map(({ id }) => id))
    this.#deps.tellToAsk(elsewhere.filter(({ isClaimed }) => isClaimed === true).map(({ id }) => id))
    return elsewhere.filter(({ isClaimed }) => isClaimed !== true)
  }

  /** The store is asked about those that are here, and about one that a claim is just taking up before it begins. */
  mayBeCancelled(runIds: readonly string[]): void {
    const { claims, heartbeats, isClaiming } = this.#deps
    if (isClaiming()) for (const runId of runIds) this.#doubted.add(runId)
    void heartbeats.beat(runIds.flatMap((runId) => claims.get(runId) ?? []))
  }

  isDoubted(runId: string): boolean {
    return this.#doubted.has(runId)
  }

  /** What the claim has taken up is here. */
  claimed(): void {
    this.#doubted.clear()
  }

  ending({ id }: StoredRun): () => void {
    const { claims, lose } = this.#deps
    const here = claims.get(id)
    return () => {
      if (here === undefined) this.mayBeCancelled([id])
      else if (claims.get(id) === here) lose(here)
    }
  }
}
