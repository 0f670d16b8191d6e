/** The frame of the API's description; routes fill it. */
export function openApi(version: string, cookieName: string) {
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Millrace',
      version,
      description:
        'Hosts flows and starts them by webhook. Errors are problem documents (RFC 9457) with a stable code.'
    },
    components: {
      securitySchemes: {
        key: { type: 'apiKey' as const, in: 'header' as const, name: 'x-api-key' },
        bearer: { type: 'http' as const, scheme: 'bearer' },
        session: {
          type: 'apiKey' as const,
          in: 'cookie' as const,
          name: cookieName,
          description: 'Set by POST /api/v1/session. It changes things from the page of Millrace only.'
        }
      }
    },
    security: [{ key: [] }, { bearer: [] }, { session: [] }]
  }
}
