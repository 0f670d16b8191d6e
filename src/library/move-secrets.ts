import { readsVariables } from '../flows/component/context-variables.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import type { SecretMoves } from '../store/secret-moves.ts'

/** Where secrets of senders are kept. */
export interface SenderSecrets {
  /** Whether a flow in this context sees a sender of this name. */
  isThere(context: string, name: string): boolean
  /** The name of a connection of the context that holds this secret; undefined where it cannot be kept. */
  keep(sender: {
    readonly context: string
    readonly name: string
    readonly secret: string
  }): Promise<string | undefined>
}

/**
 * The document with the signing secrets of its Webhooks in connections. What reads a variable is no secret, and stays. A
 * secret that cannot be kept elsewhere stays too: the flow goes on as it is.
 */
export async function withMovedSecrets(
  document: FlowDocument,
  secrets: SenderSecrets
): Promise<FlowDocument> {
  if (!holdsSecrets(document)) return document
  const nodes: FlowNode[] = []
  for (const node of document.nodes) nodes.push(await moved(node, document, secrets))
  return { ...document, nodes }
}

export function holdsSecrets({ nodes }: Pick<FlowDocument, 'nodes'>): boolean {
  return nodes.some((node) => secretOf(node) !== undefined)
}

/** Moves the secrets of all stored versions and drafts. Resolves to how many documents still hold one. */
export async function moveStoredSecrets(moves: SecretMoves, secrets: SenderSecrets): Promise<number> {
  const pending = await moves.pending()
  // An older process may save another one at any time.
  if (!(await moves.mayMove())) return pending.length
  let left = 0
  for (const each of pending) {
    const document = JSON.parse(each.document) as FlowDocument
    const after = await withMovedSecrets(document, secrets)
    const isDone = after === document || (await moves.rewrite(each, JSON.stringify(after)))
    if (!isDone || holdsSecrets(after)) left++
  }
  if (left === 0) await moves.finish()
  return left
}

async function moved(node: FlowNode, document: FlowDocument, secrets: SenderSecrets): Promise<FlowNode> {
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
