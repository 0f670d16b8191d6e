import type { StatsBucket } from '../../../api/run-stats.ts'
import type { RunStatus } from '../../../api/shapes.ts'

/** One part of a stacked bar. */
export interface StateBar {
  readonly member: keyof Pick<StatsBucket, 'failed' | 'cancelled' | 'succeeded' | 'open'>
  readonly word: string
  readonly tone: 'failed' | 'cancelled' | 'succeeded' | 'running'
  readonly states: readonly RunStatus[]
  /** Told apart without colour. */
  readonly isStriped?: true
}

/** From the bottom up. */
export const STATE_BARS: readonly StateBar[] = [
  { member: 'failed', word: 'Failed', tone: 'failed', states: ['failed'], isStriped: true },
  { member: 'cancelled', word: 'Cancelled', tone: 'cancelled', states: ['cancelled'] },
  { member: 'succeeded', word: 'Succeeded', tone: 'succeeded', states: ['succeeded'] },
  { member: 'open', word: 'Unfinished', tone: 'running', states: ['queued', 'in progress', 'waiting'] }
]
