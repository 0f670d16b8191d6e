import { isWithin } from '../contexts/context-path.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { FlowVersion } from '../store/children.ts'
import type { RunStore } from '../store/store.ts'

const PAGE = 500

export interface UnfinishedDeps {
  readonly store: Pick<RunStore, 'list' | 'openChildVersions'>
  readonly library: Pick<FlowLibrary, 'contextOf'>
}

/** Whether a run that has not ended began in the context or below it: it finishes there, wherever its flow is now. */
export async function isUnfinishedIn(path: string, { store, library }: UnfinishedDeps): Promise<boolean> {
  const elsewhere = new Set<string>()
  for await (const { flowId, flowVersion } of openVersions(store)) {
    // Few versions have many runs.
    const version = `${flowId}@${flowVersion}`
    if (elsewhere.has(version)) continue
    const context = await library.contextOf(flowId, flowVersion)
    if (context !== undefined && isWithin(context, path)) return true
    elsewhere.add(version)
  }
  return false
}

/** Of all runs that have not ended, those that others started included. */
async function* openVersions(store: UnfinishedDeps['store']): AsyncGenerator<FlowVersion> {
  yield* await store.openChildVersions()
  let before: number | null | undefined
  while (before !== null) {
    const place = before === undefined ? {} : { before }
    const { runs, next } = await store.list({ status: 'open', limit: PAGE, ...place })
    yield* runs
    before = next
  }
}
