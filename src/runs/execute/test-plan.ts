import type { Plan } from '../../engine/plan.ts'
import { planTest, type TestScope, WHOLE } from '../../engine/plan-test.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { storedDocument } from '../../flows/json/document-json.ts'
import { parseJson, writeJson } from '../../flows/json/exact-json.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { ExecutableRun, RunStore } from '../../store/store.ts'

/** The plan of a test, from the document and the pins that it began with: both may have been edited since. */
export async function testPlan(
  run: ExecutableRun,
  store: Pick<RunStore, 'testDocument' | 'testScope'>,
  library: FlowLibrary
): Promise<Plan> {
  const document = await store.testDocument(run.seq)
  if (document === undefined) throw new Error(`the document of the test ${run.id} is not in the store`)
  const { flowId: id, flowVersion: version } = run
  const flow = { id, version, document: storedDocument(document) as FlowDocument }
  const scope = await store.testScope(run.seq)
  return planTest(flow, scope === undefined ? WHOLE : readScope(scope), library.surroundings.catalogue)
}

export function readScope(text: string): TestScope {
  return parseJson(text) as unknown as TestScope
}

/** Undefined where the test runs all of its document. */
export function writeScope(scope: TestScope): string | undefined {
  const { upTo, pins, replayed } = scope
  const isWhole = upTo === null && replayed === undefined && Object.keys(pins).length === 0
  return isWhole ? undefined : writeJson(scope)
}
