import { readWebhookAuth } from '../../../../../../src/flows/webhook-auth.ts'
import type { NodeParts } from '../../node-part.ts'

/** Without them every request is refused where a signature is asked for; anywhere else they mean nothing. */
const FOR_SIGNATURES = new Set(['signature_scheme', 'connection', 'signing_secret'])

export const placeOfWebhookField: NonNullable<NodeParts['placeOf']> = (node, name, { hidden }, scope) => {
  if (!FOR_SIGNATURES.has(name)) return hidden === true ? 'controls' : 'settings'
  const said = Object.hasOwn(node.fields, 'auth') ? node.fields.auth : scope.settings.auth?.value
  return readWebhookAuth(said) === 'Signature' ? 'settings' : 'nowhere'
}
