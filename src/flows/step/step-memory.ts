import type { Message } from '../component/run-view.ts'

/** Which turns of a session are wanted. A turn is what one run said. */
export interface AskedTurns {
  /** The last so many. */
  readonly turns: number
  /** Of these, as many of the last as have so many tokens together, as far as that can be told without the model; 0: all. */
  readonly tokens?: number
  /** What came before them is told too: as it was said, or by its summary. */
  readonly isSummedUp?: boolean
}

export interface RecalledTurns {
  /** The oldest first. */
  readonly messages: readonly Message[]
  /** Of all that came before. */
  readonly summary: string | null
  /** What is to be summed up now, after what the summary has. It is in `messages` only where nothing is to be done. */
  readonly toSumUp?: {
    readonly messages: readonly Message[]
    /** From now on the text stands for the summary and these messages; where another run came first, that one's does. */
    keep(text: string): Promise<void>
  }
}

export interface StepMemory {
  /**
   * What was said in a session of the flow, by default the run's, before this run: the last so many turns, oldest first. A turn is
   * what one run said.
   */
  readonly history: (turns: number, session?: string) => Promise<readonly Message[]>
  /** The same by tokens too, and with a summary of what came before, which is kept with the session. */
  readonly recall: (asked: AskedTurns, session?: string) => Promise<RecalledTurns>
}
