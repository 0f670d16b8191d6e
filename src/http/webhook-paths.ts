/** Where a webhook is called, up to the flow. Both are the same endpoint. */
export const WEBHOOK_PATHS: readonly string[] = ['/api/v1/webhook/', '/v1/webhook/']
