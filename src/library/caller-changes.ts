import type { FlowDocument } from '../flows/document/flow-document.ts'
import { isBySecret } from '../flows/webhook-auth.ts'
import type { Surroundings } from './judge-flow.ts'
import { startsOn } from './start-nodes.ts'
import { type WebhookEntry, webhookEntry, webhookNode } from './webhook-entry.ts'

/** Something that whoever calls the flow has to know of. */
export interface CallerChange {
  readonly code:
    | 'address'
    | 'context'
    | 'methods'
    | 'webhook_added'
    | 'webhook_removed'
    | 'guard'
    | 'payload'
    | 'limits'
    | 'chat_added'
    | 'chat_removed'
  readonly message: string
}

/** What it does to callers when `after` takes the place of `before`. */
export function callerChanges(
  before: FlowDocument,
  after: FlowDocument,
  around: Surroundings
): CallerChange[] {
  return [
    ...webhookChanges(before, after, around),
    ...chatChanges(before, after, around),
    ...contextChanges(before, after)
  ]
}

function webhookChanges(before: FlowDocument, after: FlowDocument, around: Surroundings): CallerChange[] {
  const { catalogue, defaults } = around
  const [was, is] = [before, after].map((document) => webhookEntry(document, catalogue, defaults))
  if (!was && !is) return []
  if (!was)
    return [{ code: 'webhook_added', message: `It can be called at ${address(after)}. ${asksFor(is!)}` }]
  if (!is) {
    const message = `It can no longer be called: requests to ${address(before)} are refused, because there is no Webhook.`
    return [{ code: 'webhook_removed', message }]
  }
  return [
    ...addressChanges(before, after),
    ...methodChanges(was, is),
    ...guardChanges(was, is),
    ...payloadChanges(before, after, around),
    ...limitChanges(was, is)
  ]
}

function address({ slug }: FlowDocument): string {
  return `/api/v1/webhook/${slug}`
}

function addressChanges(before: FlowDocument, after: FlowDocument): CallerChange[] {
  if (before.slug === after.slug) return []
  const message = `The address changes from ${address(before)} to ${address(after)}. The old one keeps working as an alias until you remove it.`
  return [{ code: 'address', message }]
}

function methodChanges({ methods: was }: WebhookEntry, { methods: is }: WebhookEntry): CallerChange[] {
  if (equalText(was, is)) return []
  return [{ code: 'methods', message: `It takes ${is.join(', ')}; before, ${was.join(', ')}.` }]
}

function guardChanges(was: WebhookEntry, is: WebhookEntry): CallerChange[] {
  if (was.auth !== is.auth) {
    const opened = is.auth === 'None' ? ' Anybody who knows the address can start runs.' : ''
    return [{ code: 'guard', message: `${asksFor(is)}${opened} Before, it was: ${was.auth}.` }]
  }
  if (!isBySecret(is.auth) || equalText(proofOf(was), proofOf(is))) return []
  const message =
    is.auth === 'Signature'
      ? 'Callers have to sign in another way, or with another secret.'
      : 'Callers have to prove themselves in another way, or by another secret.'
  return [{ code: 'guard', message }]
}

/** All by which callers are let in. */
function proofOf({ auth, signatureScheme, hmac, signingSecrets, tokenHeader, basicUser }: WebhookEntry) {
  switch (auth) {
    case 'Token':
      return [signingSecrets, tokenHeader]
    case 'Basic':
      return [signingSecrets, basicUser]
    default:
      return [signingSecrets, signatureScheme, signatureScheme === 'HMAC' ? hmac : null]
  }
}

function asksFor({ auth }: WebhookEntry): string {
  switch (auth) {
    case 'None':
      return 'It asks callers for nothing.'
    case 'Signature':
      return 'It asks callers for a signature.'
    case 'Token':
      return 'It asks callers for a token.'
    case 'Basic':
      return 'It asks callers for a name and a password.'
    default:
      return 'It asks callers for an API key.'
  }
}

function payloadChanges(
  before: FlowDocument,
  after: FlowDocument,
  { catalogue }: Surroundings
): CallerChange[] {
  const [was, is] = [before, after].map((document) => webhookNode(document, catalogue)?.fields)
  const changes: CallerChange[] = []
  if (!equalText(was?.schema, is?.schema)) {
    const message =
      'Payloads are checked by another schema: what callers send may be refused, or let in, that was not before.'
    changes.push({ code: 'payload', message })
  }
  if (!equalText(was?.deduplicate_by, is?.deduplicate_by)) {
    const message = 'Repeated deliveries are told by another part of the payload.'
    changes.push({ code: 'payload', message })
  }
  return changes
}

function limitChanges(was: WebhookEntry, is: WebhookEntry): CallerChange[] {
  if (was.rateLimit === is.rateLimit) return []
  const shown = (limit: number) => (limit === 0 ? 'no limit' : `${limit} requests per minute`)
  return [
    { code: 'limits', message: `Callers have ${shown(is.rateLimit)}; before, ${shown(was.rateLimit)}.` }
  ]
}

function chatChanges(before: FlowDocument, after: FlowDocument, { catalogue }: Surroundings): CallerChange[] {
  const [was, is] = [before, after].map((document) => startsOn(document, catalogue, 'chat'))
  if (was === is) return []
  return is
    ? [{ code: 'chat_added', message: 'It takes chat turns.' }]
    : [{ code: 'chat_removed', message: 'It takes no chat turns any more: there is no Chat Input.' }]
}

function contextChanges({ context: was }: FlowDocument, { context: is }: FlowDocument): CallerChange[] {
  if (was === is) return []
  const message = `It moves from the context ${was} to ${is}: other guards stand before its webhook, and other keys see it.`
  return [{ code: 'context', message }]
}

function equalText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
