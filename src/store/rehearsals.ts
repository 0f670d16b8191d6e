/** The last rehearsal of a flow's draft. */
export interface StoredRehearsal {
  readonly flowId: string
  readonly id: string
  /** Of the draft that was rehearsed; null where there was none, and what is live was. */
  readonly revision: number | null
  /** How many runs were asked for. */
  readonly asked: number
  /** The name of the key that asked for it. */
  readonly author: string | null
  readonly startedAt: number
  readonly finishedAt: number | null
  /** What came of it, as JSON text; null until it is over. */
  readonly result: string | null
}

/** Rehearsals stand beside a flow and are no part of its runs, its versions or its draft. */
export interface RehearsalStore {
  find(flowId: string): Promise<StoredRehearsal | undefined>
  /** In the place of the one that the flow had. False where the flow is not live. */
  begin(rehearsal: StoredRehearsal): Promise<boolean>
  /** False where another one has begun since. */
  finish(rehearsal: Pick<StoredRehearsal, 'flowId' | 'id'>, result: string, at: number): Promise<boolean>
}
