import type { Fault } from '../errors.ts'
import { readsVariables } from '../flows/component/context-variables.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import { isDraftSender } from '../flows/draft-sender.ts'
import { flowInvalid } from './flow-refusals.ts'

/** Where secrets of senders are kept. */
interface SenderSecrets {
  /** Whether a flow in this context sees a sender of this name. */
  isThere(context: string, name: string): boolean
  /** The secret that a flow in this context means by the name. */
  secretOf(context: string, name: string): string | undefined
  /** The name of a connection of the context that holds this secret; undefined where there is no such context. */
  keep(sender: {
    readonly context: string
    readonly name: string
    readonly secret: string
  }): Promise<string | undefined>
}

/**
 * The document with the signing secret of its Webhook in a connection. What reads a variable is not a secret, and stays. Rejects
 * with `secret_key_missing`, and where several nodes have one: a connection is made for each otherwise.
 */
export async function sealSigningSecrets(
  document: FlowDocument,
  secrets: SenderSecrets
): Promise<FlowDocument> {
  const index = secretNode(document)
  if (index !== undefined) {
    const node = await sealed(document.nodes[index]!, document, secrets)
    return { ...document, nodes: document.nodes.with(index, node) }
  }
  return withoutDraftSender(document, secrets)
}

/** Where the node is that has a secret of its own; undefined where none has. Throws where several have. */
export function secretNode({ nodes }: Pick<FlowDocument, 'nodes'>): number | undefined {
  const holding = nodes.flatMap((node, index) => (secretOf(node) === undefined ? [] : [index]))
  if (holding.length > 1) throw flowInvalid([severalSecrets(nodes, holding)])
  return holding[0]
}

function severalSecrets(nodes: readonly FlowNode[], [, second]: readonly number[]): Fault {
  const { id } = nodes[second!]!
  return {
    code: 'duplicate_trigger',
    path: `/nodes/${second}`,
    ...(typeof id === 'string' ? { node: id } : {}),
    message:
      'Several Webhooks have a signing secret. A flow has one Webhook: remove the others, or their secrets.'
  }
}

export function secretOf({ type, fields }: FlowNode): string | undefined {
  const secret = type === 'webhook' ? fields.signing_secret : undefined
  return typeof secret === 'string' && secret !== '' && !readsVariables(secret) ? secret : undefined
}

/** The node with the name of a connection in the place of its secret. */
export function withSender(node: FlowNode, connection: string): FlowNode {
  const { signing_secret: _, ...fields } = node.fields
  return { ...node, fields: { ...fields, connection } }
}

async function sealed(
  node: FlowNode,
  { context, slug }: FlowDocument,
  secrets: SenderSecrets
): Promise<FlowNode> {
  const named = String(node.fields.connection ?? '')
  // Where it names a sender, that one's secret is looked at and this one is not.
  if (named !== '' && !isDraftSender(named) && secrets.isThere(context, named)) return withSender(node, named)
  const name = await secrets.keep({ context, name: `${slug} ${node.id}`, secret: secretOf(node)! })
  return name === undefined ? node : withSender(node, name)
}

/** What was sealed for a draft is kept for the flow: the draft's connection goes with the draft, and the next draft changes it. */
async function withoutDraftSender(document: FlowDocument, secrets: SenderSecrets): Promise<FlowDocument> {
  const { context, slug, nodes } = document
  const isDrafted = ({ type, fields }: FlowNode) => type === 'webhook' && isDraftSender(fields.connection)
  const first = nodes.find(isDrafted)
  if (first === undefined) return document
  const drafted = first.fields.connection as string
  const secret = secrets.secretOf(context, drafted)
  if (secret === undefined) return document
  const name = await secrets.keep({ context, name: `${slug} ${first.id}`, secret })
  if (name === undefined) return document
  const isSame = (node: FlowNode) => isDrafted(node) && node.fields.connection === drafted
  return { ...document, nodes: nodes.map((node) => (isSame(node) ? withSender(node, name) : node)) }
}
