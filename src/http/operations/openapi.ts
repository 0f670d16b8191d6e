export interface ApiFacts {
  readonly version: string
  readonly cookieName: string
  /** Where others reach the service; null where nobody said. */
  readonly publicUrl: string | null
}

/** The frame of the API's description; routes fill it. */
export function openApi({ version, cookieName, publicUrl }: ApiFacts) {
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Millrace',
      version,
      description:
        'Hosts flows and starts them by webhook. Errors are problem documents (RFC 9457) with a stable code: each operation lists the codes that it refuses with. Times that are sent follow ISO 8601, and may also be a day alone or have no zone, which is UTC then. Limits of bodies are in `x-max-bytes`.',
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [
      publicUrl === null
        ? { url: '/', description: 'Where this description was read' }
        : { url: publicUrl, description: 'The public address of this service' }
    ],
    tags: TAGS,
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

const TAGS = [
  { name: 'Webhook', description: 'Starting flows from outside' },
  { name: 'Flows', description: 'Flows, their versions, addresses and triggers' },
  { name: 'Drafts', description: 'What is edited of a flow, tried out and published' },
  { name: 'Runs', description: 'What was started, and what came of it' },
  { name: 'Waiting', description: 'Runs that wait for a call or for somebody to answer' },
  { name: 'Playground', description: 'Chat turns, messages and outputs' },
  { name: 'Chat clients', description: 'Flows as models, in the protocol of OpenAI' },
  { name: 'Model Context Protocol', description: 'Flows as tools of models' },
  { name: 'Events', description: 'What happens, as it happens' },
  { name: 'Components', description: 'What nodes can be' },
  { name: 'Costs', description: 'What models cost, and may cost' },
  { name: 'Contexts', description: 'Where flows live, and what they see there' },
  { name: 'Collections', description: 'Texts that flows find again, by words and by meaning' },
  { name: 'Connections', description: 'Addresses outside, with what it takes to get in' },
  { name: 'Files', description: 'Bytes beside the data of runs' },
  { name: 'Kept values', description: 'What flows keep for later runs' },
  { name: 'Keys', description: 'API keys' },
  { name: 'Session', description: 'Signing in to the page' },
  { name: 'Operations', description: 'Health, metrics and this description' }
]
