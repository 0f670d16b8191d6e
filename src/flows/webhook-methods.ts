/** The methods that a Webhook can take. */
export const WEBHOOK_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Of whatever a node says, in one order. A trigger of a plugin may say nothing; then it takes what webhooks always took. */
export function readWebhookMethods(said: unknown): readonly string[] {
  const taken = Array.isArray(said) ? WEBHOOK_METHODS.filter((method) => said.includes(method)) : []
  return taken.length === 0 ? ['POST'] : taken
}
