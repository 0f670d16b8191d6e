import { readWebhookAuth, type WebhookAuth } from '../../../../src/flows/webhook-auth.ts'
import { readHmacRule } from '../../../../src/flows/webhook-signatures.ts'
import type { FlowDocument } from '../../api/shapes.ts'
import { webhookCurl } from '../../editor/snippets/call-snippets.ts'
import { sampleBody } from '../../editor/snippets/sample-body.ts'
import type { PageCatalogue } from '../../editor/wiring/page-catalogue.ts'

/** How a flow is started from outside: what to run in a shell, and what it asks of whoever does. */
export interface StartCommand {
  readonly command: string
  readonly auth: WebhookAuth
}

/** What a Webhook asks for that does not say. */
const DEFAULTS = {
  signature_scheme: 'Standard Webhooks',
  signature_algorithm: 'sha256',
  signature_encoding: 'hex',
  signed_text: '{body}'
}

interface StartFacts {
  /** Where the service is. */
  readonly address: string
  /** What the flow's context asks of callers where the Webhook says nothing. */
  readonly contextAuth: string | undefined
  readonly catalogue: PageCatalogue
}

/** The command that the Webhook holds, where somebody wrote one; else one whose run succeeds. */
export function startCommand(
  flow: FlowDocument,
  { address, contextAuth, catalogue }: StartFacts
): StartCommand | undefined {
  const webhook = flow.nodes.find(({ type }) => type === 'webhook')
  if (webhook === undefined) return undefined
  const { curl } = webhook.fields
  const auth = readWebhookAuth(webhook.fields.auth ?? contextAuth)
  if (typeof curl === 'string' && curl.trim() !== '') return { command: curl, auth }
  const body = sampleBody(flow, catalogue, webhook.id)
  const target = { address, flow: flow.slug, auth, ...provedBy({ ...DEFAULTS, ...webhook.fields }) }
  return { command: webhookCurl(target, body), auth }
}

function provedBy(fields: Readonly<Record<string, unknown>>) {
  return {
    scheme: String(fields.signature_scheme),
    hmac: readHmacRule(fields),
    tokenHeader: String(fields.token_header ?? ''),
    basicUser: String(fields.basic_user ?? '')
  }
}
