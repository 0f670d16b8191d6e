import type { FlowNode } from '../document/flow-document.ts'
import { readHmacRule } from '../webhook-signatures.ts'

/** The header with the time of a request where the signature, by the rule of the Webhook, is not of that too. */
export function unsignedTimeOf(
  { type, disabled }: Readonly<FlowNode>,
  fields: Readonly<Record<string, unknown>>
): string | undefined {
  if (type !== 'webhook' || disabled === true) return undefined
  if (fields.auth !== 'Signature' || fields.signature_scheme !== 'HMAC') return undefined
  const { timestampHeader = null, signedText = [] } = readHmacRule(fields) ?? {}
  const isSigned = signedText.some((piece) => piece.kind === 'header' && piece.name === timestampHeader)
  return timestampHeader === null || isSigned ? undefined : timestampHeader
}
