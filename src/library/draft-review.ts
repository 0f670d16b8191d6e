import type { Fault } from '../errors.ts'
import type { Knows } from '../flows/component/catalogue.ts'
import { compareInTurns, type FlowComparison } from '../flows/document/compare-flows.ts'
import { describeChanges } from '../flows/document/describe-changes.ts'
import type { Turns } from '../flows/in-turns.ts'
import { type CallerChange, callerChanges } from './caller-changes.ts'
import type { Draft } from './draft.ts'
import type { FlowLibrary } from './flow-library.ts'
import type { Verdict } from './judge-flow.ts'
import { missingFlows } from './missing-flows.ts'
import { operationFaults } from './operation-faults.ts'

/** What a draft would change if it were published now. */
export interface DraftReview {
  readonly draft: Draft
  readonly comparison: FlowComparison
  /** In a few words; null where nothing is different. */
  readonly summary: string | null
  /** What it does to callers; nothing is known of that while its shape is wrong. */
  readonly callers: readonly CallerChange[]
  readonly errors: readonly Fault[]
  readonly warnings: readonly Fault[]
}

export async function reviewDraft(
  draft: Draft,
  verdict: Verdict,
  library: FlowLibrary,
  knows: Knows | undefined
): Promise<DraftReview> {
  const { flow, document } = draft
  const compared = await library.inTurns(comparisonOf(draft, verdict, library))
  return {
    draft,
    ...compared,
    errors: await library.faultsOf(flow, document, verdict, knows),
    warnings: await draftWarnings(verdict, library)
  }
}

function* comparisonOf(
  { flow, document }: Draft,
  { document: read }: Verdict,
  { surroundings }: FlowLibrary
): Turns<Pick<DraftReview, 'comparison' | 'summary' | 'callers'>> {
  const titleOf = (type: string) => surroundings.catalogue.find(flow.context, type)?.title
  const comparison = yield* compareInTurns(flow.document, document, titleOf)
  yield
  const summary = describeChanges(comparison)
  yield
  const callers = read === undefined ? [] : callerChanges(flow.document, read, surroundings)
  return { comparison, summary, callers }
}

/** What is probably not meant; nothing is known of that while its shape is wrong. */
export async function draftWarnings(
  { document, warnings }: Verdict,
  library: FlowLibrary
): Promise<readonly Fault[]> {
  if (document === undefined) return []
  const { warnings: calls } = await operationFaults(document, library.surroundings)
  return [...warnings, ...missingFlows(document, library), ...calls]
}
