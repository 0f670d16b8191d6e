import type { FlowActions } from '../../flow-parts/use-flow-actions.ts'

/** What a row does when it is told to. It draws nothing of these. */
export interface RowHandlers {
  readonly actions: FlowActions
  /** Those that the search leaves out too: a copy must not take a name of theirs. */
  readonly takenNames: ReadonlySet<string>
  readonly onTag: (tag: string) => void
}
