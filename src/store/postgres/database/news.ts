/** What a write has brought about for runs other than its own. */
export interface News {
  /** Flows with runs that were parked and are due now. */
  readonly work: readonly string[]
  /** Ids of runs that nobody waits for any more: whoever executes them is to cancel them. */
  readonly cancel: readonly string[]
  /** Ids of runs that are under way, with a wait that has ended: whoever executes them is to look. */
  readonly woken?: readonly string[]
}

export const NO_NEWS: News = { work: [], cancel: [] }

export function allNews(...some: readonly News[]): News {
  return {
    work: [...new Set(some.flatMap(({ work }) => work))],
    cancel: some.flatMap(({ cancel }) => cancel),
    woken: some.flatMap(({ woken = [] }) => woken)
  }
}

export function isNews({ work, cancel, woken = [] }: News): boolean {
  return work.length > 0 || cancel.length > 0 || woken.length > 0
}
