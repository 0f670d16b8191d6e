import type { DraftDocument } from '../flows/validate/draft-document.ts'
import type { Draft } from './draft.ts'
import type { FlowLibrary } from './flow-library.ts'
import type { LiveFlow } from './live-flow.ts'

/**
 * Address, context and tags are changed by themselves too, while a draft is edited. What the draft has not changed of them
 * is as it is live now: publishing must not take back what somebody else has done.
 */
export async function draftAsLive(
  live: LiveFlow,
  { document, baseVersion }: Draft,
  library: Pick<FlowLibrary, 'version' | 'readDocument'>
): Promise<DraftDocument> {
  if (baseVersion === live.version) return document
  const base = await library.readDocument((await library.version(live.id, baseVersion)).document)
  const { tags } = live.document
  return {
    ...document,
    ...(document.slug === base.slug && { slug: live.slug }),
    ...(document.context === base.context && { context: live.context }),
    ...(tags !== undefined && equalTags(document.tags, base.tags) && { tags })
  }
}

function equalTags(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? []) === JSON.stringify(other ?? [])
}
