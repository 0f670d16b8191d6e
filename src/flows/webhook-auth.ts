/** What the endpoint of a flow can ask of its callers. */
export const WEBHOOK_AUTHS = ['API key', 'Signature', 'Token', 'Basic', 'None'] as const

export type WebhookAuth = (typeof WEBHOOK_AUTHS)[number]

/** Of whatever a node or a context says. What is unknown asks for what is safe. */
export function readWebhookAuth(said: unknown): WebhookAuth {
  return WEBHOOK_AUTHS.find((auth) => auth === said) ?? 'API key'
}

/** Whether callers prove themselves by a secret that they share with the flow. */
export function isBySecret(auth: WebhookAuth): auth is 'Signature' | 'Token' | 'Basic' {
  return auth === 'Signature' || auth === 'Token' || auth === 'Basic'
}

/** What senders ask before they send: whether somebody is there who expects it. */
export const HANDSHAKES = ['None', 'Slack', 'Meta', 'Microsoft Graph'] as const

export type Handshake = (typeof HANDSHAKES)[number]

/** What is unknown is no question. */
export function readHandshake(said: unknown): Handshake {
  return HANDSHAKES.find((handshake) => handshake === said) ?? 'None'
}
