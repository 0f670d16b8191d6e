import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { nodeOrder } from '../../flows/graph/graph.ts'
import { openHungStepNotes as openInPostgres } from '../../store/postgres/runs/hung-steps.ts'
import { openHungStepNotes as openInSqlite } from '../../store/sqlite/runs/hung-steps.ts'

/** What of the store a second thread has to know to open it. */
export type StorePlace =
  | { readonly kind: 'embedded'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }

/** The step that held the thread: its run, and its place in the plan. */
export interface HeldBy {
  readonly seq: number
  readonly index: number
}

export interface NotedStep {
  readonly run_id: string
  readonly node: string
}

/** Notes the step in the store, where the next process finds it. Undefined where there is no such run. */
export async function noteHungStep(
  store: StorePlace,
  { seq, index }: HeldBy,
  timeout: number
): Promise<NotedStep | undefined> {
  const notes =
    store.kind === 'embedded' ? openInSqlite(store.path, timeout) : await openInPostgres(store.url, timeout)
  try {
    const run = await notes.findRun(seq)
    const node = run && nodeOrder(JSON.parse(run.document) as FlowDocument)[index]
    if (node === undefined) return undefined
    await notes.add({ seq, node }, Date.now())
    return { run_id: run!.runId, node }
  } finally {
    await notes.close()
  }
}
