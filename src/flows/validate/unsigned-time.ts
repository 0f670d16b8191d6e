import { type AnyComponent, resolveFields } from '../component/component.ts'
import type { FlowNode } from '../document/flow-document.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { readHmacRule } from '../webhook-signatures.ts'

/** The header with the time of a request where the signature, by the rule of the Webhook, is not of that too. */
export function unsignedTimeOf(
  node: Readonly<FlowNode>,
  component: Pick<AnyComponent, 'fields'>
): string | undefined {
  const { type, disabled, fields: given } = node
  if (type !== 'webhook' || disabled === true) return undefined
  // Neither is a default, so most Webhooks are told by what they say: their fields are many.
  if (given.auth !== 'Signature' || given.signature_scheme !== 'HMAC') return undefined
  const rule = readHmacRule(resolveFields(component, given as Record<string, JsonValue>))
  const { timestampHeader = null, signedText = [] } = rule ?? {}
  const isSigned = signedText.some((piece) => piece.kind === 'header' && piece.name === timestampHeader)
  return timestampHeader === null || isSigned ? undefined : timestampHeader
}
