import { ITEMS_TARGET, measureItems } from './for-each-items.ts'
import type { Bench, FigureGroup } from './group.ts'
import { measureWaitingRuns, WAITING_TARGETS } from './waiting-runs.ts'
import { measureWaking, WAKING_TARGETS } from './waking.ts'

/** Runs that wait for days, items of a list, and runs whose time comes all at once. */
export const waitsGroup: FigureGroup = {
  key: 'waits',
  about: '100,000 runs that wait, 10,000 items of a For each, 10,000 runs due at one moment (takes minutes)',
  targets: [...WAITING_TARGETS, ITEMS_TARGET, ...WAKING_TARGETS],
  measure: async (bench: Bench) => [
    ...(await measureItems(bench)),
    ...(await measureWaking(bench)),
    ...(await measureWaitingRuns(bench))
  ]
}
