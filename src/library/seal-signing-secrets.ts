import { readsVariables } from '../flows/component/context-variables.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'

/** Where secrets of senders are kept. */
export interface SenderSecrets {
  /** Whether a flow in this context sees a sender of this name. */
  isThere(context: string, name: string): boolean
  /** The name of a connection of the context that holds this secret; undefined where there is no such context. */
  keep(sender: {
    readonly context: string
    readonly name: string
    readonly secret: string
  }): Promise<string | undefined>
}

/**
 * The document with the signing secrets of its Webhooks in connections. What reads a variable is not a secret, and stays. Rejects
 * with `secret_key_missing`.
 */
export async function sealSigningSecrets(
  document: FlowDocument,
  secrets: SenderSecrets
): Promise<FlowDocument> {
  if (!holdsSigningSecret(document)) return document
  const nodes: FlowNode[] = []
  for (const node of document.nodes) nodes.push(await sealed(node, document, secrets))
  return { ...document, nodes }
}

export function holdsSigningSecret({ nodes }: Pick<FlowDocument, 'nodes'>): boolean {
  return nodes.some((node) => secretOf(node) !== undefined)
}

async function sealed(node: FlowNode, document: FlowDocument, secrets: SenderSecrets): Promise<FlowNode> {
  const secret = secretOf(node)
  if (secret === undefined) return node
  const { context, slug } = document
  const { signing_secret: _, connection, ...fields } = node.fields
  const named = String(connection ?? '')
  // Where it names a sender, that one's secret is looked at and this one is not.
  if (named !== '' && secrets.isThere(context, named))
    return { ...node, fields: { ...fields, connection: named } }
  const name = await secrets.keep({ context, name: `${slug} ${node.id}`, secret })
  return name === undefined ? node : { ...node, fields: { ...fields, connection: name } }
}

function secretOf({ type, fields }: FlowNode): string | undefined {
  const secret = type === 'webhook' ? fields.signing_secret : undefined
  return typeof secret === 'string' && secret !== '' && !readsVariables(secret) ? secret : undefined
}
