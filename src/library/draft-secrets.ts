import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { DraftDocument } from '../flows/validate/draft-document.ts'
import { holdsSigningSecret } from './seal-signing-secrets.ts'

type SealSecrets = (document: FlowDocument) => FlowDocument | Promise<FlowDocument>

/**
 * A draft with its signing secrets where those of a flow go when it is saved. What it says of itself may be anything: what is no
 * slug, and a context that is not there, are those of the live flow.
 */
export async function draftWithoutSecrets(
  draft: DraftDocument,
  live: { readonly slug: string; readonly context: string },
  sealSecrets: SealSecrets
): Promise<DraftDocument> {
  const slug = typeof draft.slug === 'string' ? draft.slug : live.slug
  const context = typeof draft.context === 'string' ? draft.context : live.context
  if (!holdsSigningSecret(draft as unknown as FlowDocument)) return draft
  const nodes = draft.nodes.map((node) => ({ id: 'webhook', ...node }))
  const sealed = await sealSecrets({ ...draft, nodes, slug, context } as unknown as FlowDocument)
  const { nodes: last } = holdsSigningSecret(sealed)
    ? await sealSecrets({ ...sealed, context: live.context })
    : sealed
  return { ...draft, nodes: draft.nodes.map((node, index) => ({ ...node, fields: last[index]!.fields })) }
}
