import type { MessagePlace } from './message-store.ts'

/** What stands in the place of the turns of a session up to one of them. */
export interface SessionSummary {
  readonly text: string
  /** The last message that it sums up. */
  readonly upTo: MessagePlace
  /** That message's run: when retention takes it, nothing of what was summed up is left, and the summary goes too. */
  readonly runId: string
}

/** What is kept of a session besides its messages. */
export interface SessionNote {
  readonly session: string
  /** As people call it. */
  readonly title: string | null
  readonly summary: SessionSummary | null
}

export interface SessionStore {
  /** Of these sessions; those of which nothing is kept are left out. */
  notes(flowId: string, sessions: readonly string[]): Promise<SessionNote[]>
  entitle(flowId: string, session: string, title: string | null): Promise<void>
  /** False where what it sums up was deleted meanwhile, or there is another summary meanwhile than that up to `after`, or one where that is null. */
  summarize(
    flowId: string,
    session: string,
    summary: SessionSummary,
    after: MessagePlace | null
  ): Promise<boolean>
  forget(flowId: string, session: string): Promise<void>
  /** Deletes a slice of the summaries whose last run is gone; resolves to how many of them went. */
  sweep(slice: number): Promise<number>
}
