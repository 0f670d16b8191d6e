import type { Fault } from '../errors.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { isBySecret } from '../flows/webhook-auth.ts'
import { LEAST_CHARACTERS, withoutPrefix } from './signing-secrets.ts'
import { type EntryDefaults, webhookEntry, webhookNode } from './webhook-entry.ts'

/** What the secret is for, by what the Webhook asks of its callers. */
const NEEDS = { Signature: 'a signature', Token: 'a token', Basic: 'a password' } as const

/**
 * What is wrong with a flow whose callers prove themselves by a secret, when it is saved: one that can be guessed opens the
 * flow to anybody. One that is live already goes on as it is. Where only the context asks for it, a flow without a secret
 * may be saved: it lets nobody in until it has one.
 */
export function signingSecretFault(
  document: FlowDocument,
  catalogue: Catalogue,
  defaults: EntryDefaults
): Fault | undefined {
  const node = webhookNode(document, catalogue)
  const entry = webhookEntry(document, catalogue, defaults)
  if (node === undefined || !entry || !isBySecret(entry.auth)) return undefined
  // The name is looked up when a request comes: the connection may be made later.
  const namesSender = String(node.fields.connection ?? '') !== ''
  if (namesSender && entry.signingSecrets.length === 0) return undefined
  const { length } = withoutPrefix(entry.signingSecrets[0] ?? '')
  const isAsked = Object.hasOwn(node.fields, 'auth')
  if (length >= LEAST_CHARACTERS || (length === 0 && !isAsked)) return undefined
  const what = length === 0 ? 'there is none, or its variable is not set' : `it has ${length}`
  return {
    code: 'weak_secret',
    path: `/nodes/${document.nodes.indexOf(node)}/fields/signing_secret`,
    node: node.id,
    field: 'signing_secret',
    message: `Field "signing_secret" of node "${node.id}": ${NEEDS[entry.auth]} needs a secret of ${LEAST_CHARACTERS} characters or more, and ${what}. Choose a connection of the kind webhook, paste the one that the sender has, or make one with: openssl rand -hex 32`
  }
}
