import type { Right, RunStatus } from '../../../api/shapes.ts'
import { IconPlayerTrackNext } from '../../../design/icons/list-icons.ts'
import { IconEdit, IconPlayerStop, IconRepeat } from '../../../design/icons/page-icons.ts'

export type BulkActionName = 'retry' | 'replay' | 'edit' | 'cancel'

export interface BulkAction {
  readonly name: BulkActionName
  readonly title: string
  /** What it does, with the number of runs before it: "3 runs go on from …". */
  readonly about: (runs: string) => string
  /** Why some are left out. */
  readonly notFor: string
  readonly mayTake: (status: RunStatus) => boolean
  readonly right: Right
  /** What it starts is another run, or another try of the same one, and may fail like any. */
  readonly startsRuns: boolean
  readonly Icon: typeof IconRepeat
}

export const BULK_ACTIONS: readonly BulkAction[] = [
  {
    name: 'retry',
    title: 'Retry',
    about: (runs) =>
      `${runs} will go on from the step that failed, on the version that each started with. What succeeded is not done again.`,
    notFor: 'only failed and cancelled runs can be retried',
    mayTake: (status) => status === 'failed' || status === 'cancelled',
    right: 'write',
    startsRuns: true,
    Icon: IconPlayerTrackNext
  },
  {
    name: 'replay',
    title: 'Replay',
    about: (runs) =>
      `The input of ${runs} will be run again from the beginning, on the live version of the flow.`,
    notFor: '',
    mayTake: () => true,
    right: 'trigger',
    startsRuns: true,
    Icon: IconRepeat
  },
  {
    name: 'edit',
    title: 'Edit and replay',
    about: (runs) =>
      `The input of ${runs} will be changed as you say, and run on the live version of the flow.`,
    notFor: '',
    mayTake: () => true,
    right: 'trigger',
    startsRuns: true,
    Icon: IconEdit
  },
  {
    name: 'cancel',
    title: 'Cancel',
    about: (runs) => `${runs} will be stopped where they are. A cancelled run can be retried later.`,
    notFor: 'only runs that have not ended can be cancelled',
    mayTake: (status) => status === 'queued' || status === 'in progress' || status === 'waiting',
    right: 'write',
    startsRuns: false,
    Icon: IconPlayerStop
  }
]

export function runsInWords(count: number): string {
  return count === 1 ? 'one run' : `${count.toLocaleString()} runs`
}
