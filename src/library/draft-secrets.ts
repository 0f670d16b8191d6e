import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import { draftSender } from '../flows/draft-sender.ts'
import type { DraftDocument } from '../flows/validate/draft-document.ts'
import type { LiveFlow } from './live-flow.ts'
import { secretNode, secretOf, withSender } from './seal-signing-secrets.ts'

/** Where the secrets of drafts are kept. */
export interface DraftSecrets {
  isThere(context: string, name: string): boolean
  /** Seals it in the place of the one that the draft had; false where there is no such context. */
  keepForDraft(sender: {
    readonly flowId: string
    readonly context: string
    readonly secret: string
  }): Promise<boolean>
  hasDraft(flowId: string): boolean
  forgetDraft(flowId: string): Promise<void>
}

interface SealableDraft {
  /** As it is to be stored. */
  readonly document: DraftDocument
  /** What has to be sealed before; absent where nothing has to. */
  readonly secret?: string
}

/** A draft without the signing secret that it was sent with: a connection of its own holds it. Throws where it has several. */
export function sealableDraft(
  draft: DraftDocument,
  flow: Pick<LiveFlow, 'id' | 'context'>,
  secrets: DraftSecrets
): SealableDraft {
  const nodes = draft.nodes as unknown as readonly FlowNode[]
  const index = secretNode({ nodes } as FlowDocument)
  if (index === undefined) return { document: draft }
  const node = nodes[index]!
  const own = draftSender(flow.id)
  const named = String(node.fields.connection ?? '')
  const isOther = named !== '' && named !== own && secrets.isThere(contextOf(draft, flow), named)
  const written = withSender(node, isOther ? named : own) as unknown as DraftDocument['nodes'][number]
  const document = { ...draft, nodes: draft.nodes.with(index, written) }
  return isOther ? { document } : { document, secret: secretOf(node)! }
}

/** Where the draft says that the flow lives, or where it lives now: what a draft says may be anything. False where it cannot be sealed. */
export async function sealForDraft(
  secret: string,
  draft: DraftDocument,
  flow: Pick<LiveFlow, 'id' | 'context'>,
  secrets: DraftSecrets
): Promise<boolean> {
  const keepIn = (context: string) => secrets.keepForDraft({ flowId: flow.id, context, secret })
  const context = contextOf(draft, flow)
  return (await keepIn(context)) || (context !== flow.context && (await keepIn(flow.context)))
}

export function namesDraftSender({ nodes }: DraftDocument, flowId: string): boolean {
  const own = draftSender(flowId)
  return nodes.some(({ fields }) => fields.connection === own)
}

function contextOf({ context }: DraftDocument, live: Pick<LiveFlow, 'context'>): string {
  return typeof context === 'string' ? context : live.context
}
