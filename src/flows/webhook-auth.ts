/** What the endpoint of a flow can ask of its callers. */
export const WEBHOOK_AUTHS = ['API key', 'Signature', 'None'] as const

export type WebhookAuth = (typeof WEBHOOK_AUTHS)[number]

/** Of whatever a node or a context says. What is unknown asks for what is safe. */
export function readWebhookAuth(said: unknown): WebhookAuth {
  return WEBHOOK_AUTHS.find((auth) => auth === said) ?? 'API key'
}
