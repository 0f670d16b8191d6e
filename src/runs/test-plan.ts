import { type Plan, planFlow } from '../engine/plan.ts'
import type { FlowDocument } from '../flows/flow-document.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { RunStore, RunToPerform } from '../store/store.ts'

/** The plan of a test, from the document that it began with: the draft may have been edited since. */
export async function testPlan(
  run: RunToPerform,
  store: Pick<RunStore, 'testDocument'>,
  library: FlowLibrary
): Promise<Plan> {
  const document = await store.testDocument(run.seq)
  if (document === undefined) throw new Error(`the document of the test ${run.id} is not in the store`)
  const { flowId: id, flowVersion: version } = run
  const flow = { id, version, document: JSON.parse(document) as FlowDocument }
  return planFlow(flow, library.surroundings.catalogue)
}
