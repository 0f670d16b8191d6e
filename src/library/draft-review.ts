import type { Fault } from '../errors.ts'
import type { Knows } from '../flows/component/catalogue.ts'
import { compareFlows, type FlowComparison } from '../flows/document/compare-flows.ts'
import { describeChanges } from '../flows/document/describe-changes.ts'
import type { DraftDocument } from '../flows/validate/draft-document.ts'
import { flowWarnings } from '../flows/validate/flow-warnings.ts'
import { readDocument } from '../flows/validate/validate-flow.ts'
import { type CallerChange, callerChanges } from './caller-changes.ts'
import type { Draft } from './draft.ts'
import type { FlowLibrary } from './flow-library.ts'
import { missingFlows } from './missing-flows.ts'

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

export function reviewDraft(draft: Draft, library: FlowLibrary, knows: Knows | undefined): DraftReview {
  const { flow, document } = draft
  const { catalogue } = library.surroundings
  const titleOf = (type: string) => catalogue.find(flow.context, type)?.title
  const comparison = compareFlows(flow.document, document, titleOf)
  const { document: read } = readDocument(document)
  return {
    draft,
    comparison,
    summary: describeChanges(comparison),
    callers: read === undefined ? [] : callerChanges(flow.document, read, library.surroundings),
    errors: library.faultsOf(flow, document, knows),
    warnings: draftWarnings(document, library)
  }
}

/** What is probably not meant; nothing is known of that while its shape is wrong. */
export function draftWarnings(document: DraftDocument, library: FlowLibrary): readonly Fault[] {
  const { document: read } = readDocument(document)
  if (read === undefined) return []
  return [...flowWarnings(read, library.surroundings.catalogue), ...missingFlows(read, library)]
}
