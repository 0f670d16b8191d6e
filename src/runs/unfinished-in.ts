import { isWithin } from '../contexts/context-path.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { FlowVersion } from '../store/children.ts'
import type { FoundRun, RunStore } from '../store/store.ts'

const PAGE = 500

interface UnfinishedDeps {
  readonly store: Pick<RunStore, 'list' | 'openChildVersions' | 'testDocument'>
  readonly library: Pick<FlowLibrary, 'contextOf'>
}

/** Whether a run that has not ended began in the context or below it: it finishes there, wherever its flow is now, or whoever lent it that. */
export async function isUnfinishedIn(path: string, { store, library }: UnfinishedDeps): Promise<boolean> {
  const elsewhere = new Set<string>()
  for await (const run of openRuns(store)) {
    if ('isTest' in run && run.isTest) {
      if (isWithin(await contextOfTest(run.seq, store), path)) return true
      continue
    }
    const { flowId, flowVersion, context } = run
    // Few versions have many runs.
    const version = `${flowId}@${flowVersion}${context ?? ''}`
    if (elsewhere.has(version)) continue
    const home = await library.contextOf(flowId, flowVersion)
    if ([home, context].some((each) => each != null && isWithin(each, path))) return true
    elsewhere.add(version)
  }
  return false
}

/** A test runs a document of its own, which may say another context than its flow. */
async function contextOfTest(seq: number, store: UnfinishedDeps['store']): Promise<string> {
  const document = await store.testDocument(seq)
  return document === undefined ? '/' : (JSON.parse(document) as FlowDocument).context
}

/** All runs that have not ended; of those that others started, their versions. */
async function* openRuns(store: UnfinishedDeps['store']): AsyncGenerator<FoundRun | FlowVersion> {
  yield* await store.openChildVersions()
  let before: number | null | undefined
  while (before !== null) {
    const place = before === undefined ? {} : { before }
    const { runs, next } = await store.list({ status: 'open', limit: PAGE, ...place })
    yield* runs
    before = next
  }
}
