import { isBySecret, readWebhookAuth } from '../../../../../../src/flows/webhook-auth.ts'
import type { NodeParts } from '../../node-part.ts'

type Fields = Readonly<Record<string, unknown>>

const isSigned = (fields: Fields) => fields.auth === 'Signature'
const isByRule = (fields: Fields) => isSigned(fields) && fields.signature_scheme === 'HMAC'

/** Whether a field means anything by what the others say. Where it does, every request is refused without it. */
const MEANT: Readonly<Record<string, (fields: Fields) => boolean>> = {
  token_header: ({ auth }) => auth === 'Token',
  basic_user: ({ auth }) => auth === 'Basic',
  signature_scheme: isSigned,
  signature_header: isByRule,
  signature_algorithm: isByRule,
  signature_encoding: isByRule,
  signature_prefix: isByRule,
  signed_text: isByRule,
  timestamp_header: isByRule,
  connection: ({ auth }) => isBySecret(readWebhookAuth(auth)),
  signing_secret: ({ auth }) => isBySecret(readWebhookAuth(auth))
}

export const placeOfWebhookField: NonNullable<NodeParts['placeOf']> = (node, name, { hidden }, scope) => {
  const isMeant = Object.hasOwn(MEANT, name) ? MEANT[name] : undefined
  if (isMeant === undefined) return hidden === true ? 'controls' : 'settings'
  const said = Object.hasOwn(node.fields, 'auth') ? node.fields.auth : scope.settings.auth?.value
  return isMeant({ ...node.fields, auth: readWebhookAuth(said) }) ? 'settings' : 'nowhere'
}
