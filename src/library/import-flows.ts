import { describeFirst } from '../flows/document/describe-changes.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { writeJsonInTurns } from '../flows/json/document-json.ts'
import { readDraftInTurns } from '../flows/validate/draft-document.ts'
import type { Maker } from './edit.ts'
import type { FlowLibrary } from './flow-library.ts'
import { flowInvalid, refusalOf } from './flow-refusals.ts'
import type { FlowWithDraft } from './flow-writes.ts'
import type { LiveFlow } from './live-flow.ts'

/** A flow of a file. */
interface FlowToImport {
  readonly name: string
  readonly slug: string
  /** Without slug and context. */
  readonly document: Readonly<Record<string, unknown>>
}

/**
 * Saves all of them or none. Of each nothing is live but its name: what it does is its draft, which people look at and publish.
 * Undefined where another flow has taken one of the slugs meanwhile.
 */
export async function importFlows(
  flows: readonly FlowToImport[],
  library: Pick<FlowLibrary, 'createAll' | 'inTurns'>,
  { context, author, mayTake }: Maker & { readonly context: string }
): Promise<readonly LiveFlow[] | undefined> {
  const drafts: FlowWithDraft[] = []
  const nothing = { context, nodes: [], edges: [] }
  for (const { name, slug, document } of flows) {
    const placed = { ...document, name, slug, context }
    const { document: draft, faults } = await library.inTurns(readDraftInTurns(placed))
    if (draft === undefined) throw flowInvalid(faults)
    const empty: FlowDocument = { name, slug, ...nothing }
    drafts.push({
      slug,
      context,
      document: JSON.stringify(empty),
      draft: await library.inTurns(writeJsonInTurns(draft)),
      author: author ?? null,
      facts: { origin: 'created', author: author ?? null, changes: describeFirst(empty) },
      mayTake
    })
  }
  const created = await library.createAll(drafts)
  if (typeof created !== 'string') return created
  if (created === 'slug_taken') return undefined
  throw refusalOf(created, { name: '', slug: '', ...nothing })
}
