import { Type } from '../../flows/json/schema-builder.ts'
import type { ConnectionKind } from './connection-kind.ts'
import { destinationsOfUrl } from './destinations-of-url.ts'
import { http } from './http-kind.ts'
import { CLIENT_SECRET, OAUTH_SETTINGS } from './oauth-settings.ts'
import type { SettingCondition } from './setting-condition.ts'
import { authority, flag, port, text, url } from './setting-schemas.ts'

const strict = { additionalProperties: false }
const ALWAYS: SettingCondition = {}

const webhook: ConnectionKind = {
  title: 'Webhook',
  description: 'A sender whose signatures are checked, or a receiver of our requests',
  settings: Type.Object(
    {
      url: Type.Optional(url({ title: 'URL', description: 'Where requests are sent; empty for a sender' }))
    },
    strict
  ),
  secrets: { signing_secret: { title: 'Signing secret', neededWhen: ALWAYS } },
  destinations: ({ url }) => destinationsOfUrl(url)
}

function database(title: string, standardPort: number): ConnectionKind {
  return {
    title,
    description: `A ${title} database`,
    settings: Type.Object(
      {
        host: text({ title: 'Host', description: 'Name or address of the server' }),
        port: port(standardPort),
        database: text({ title: 'Database', description: 'Name of the database' }),
        user: text({ title: 'User', description: 'User to sign in as' }),
        ssl: Type.Optional(
          Type.Union([Type.Boolean(), Type.Literal('no-verify')], {
            default: false,
            title: 'Encryption',
            description: 'Use TLS and verify the certificate; "no-verify" skips the verification',
            value_titles: {
              false: 'None',
              true: 'TLS, the certificate is checked',
              'no-verify': 'TLS, the certificate is not checked'
            }
          })
        ),
        ca: authority({ shown_when: { ssl: [true] } }),
        read_only: flag('Read only', 'Nothing can be written')
      },
      strict
    ),
    secrets: { password: { title: 'Password' } },
    destinations: ({ host, port = standardPort }) => [{ host: String(host), port: Number(port) }]
  }
}

const sqlite: ConnectionKind = {
  title: 'SQLite',
  description: 'A database file on the machine that Millrace runs on',
  settings: Type.Object(
    {
      file: text({ title: 'File', description: 'Path of the file' }),
      read_only: flag('Read only', 'Nothing can be written')
    },
    strict
  ),
  secrets: {},
  destinations: () => []
}

const smtp: ConnectionKind = {
  title: 'SMTP',
  description: 'A server that sends mail',
  settings: Type.Object(
    {
      host: text({ title: 'Host', description: 'Name or address of the server' }),
      port: port(587),
      secure: flag('TLS at once', 'TLS from the first byte, as on port 465; otherwise STARTTLS'),
      user: Type.Optional(text({ title: 'User', description: 'User to sign in as' })),
      from: text({
        title: 'From',
        description: 'Sender of mails, such as Shop <orders@shop.example>',
        pattern: '^[^\\r\\n]*[^\\s@]@[^\\s@]+$'
      }),
      ca: authority(),
      allow_plain: flag(
        'Allow without encryption',
        'Mail goes in the clear where the server offers no TLS. A password never does.'
      )
    },
    strict
  ),
  secrets: { password: { title: 'Password', neededWhen: { user: [] } } },
  destinations: ({ host, port = 587 }) => [{ host: String(host), port: Number(port) }]
}

function modelProvider(title: string, standardUrl: string): ConnectionKind {
  return {
    title,
    description: `Models of ${title}`,
    standardUrl,
    settings: Type.Object(
      {
        base_url: Type.Optional(url({ title: 'Base URL', description: `${standardUrl} if left empty` }))
      },
      strict
    ),
    secrets: { api_key: { title: 'API key', neededWhen: ALWAYS } },
    headerSecrets: () => ['api_key'],
    destinations: ({ base_url = standardUrl }) => destinationsOfUrl(base_url)
  }
}

const openaiCompatible: ConnectionKind = {
  title: 'OpenAI-compatible',
  description: 'Models behind an address that speaks OpenAI’s protocol: Ollama, vLLM, llama.cpp, OpenRouter',
  settings: Type.Object(
    { base_url: url({ title: 'Base URL', description: 'Up to and including /v1' }) },
    strict
  ),
  secrets: { api_key: { title: 'API key' } },
  headerSecrets: () => ['api_key'],
  destinations: ({ base_url }) => destinationsOfUrl(base_url)
}

const mcp: ConnectionKind = {
  title: 'MCP',
  description: 'A server that offers tools to agents',
  settings: Type.Object(
    {
      url: url({ title: 'URL', description: 'Address of the server' }),
      auth: Type.Optional(
        Type.Enum(['token', 'oauth2'], {
          default: 'token',
          title: 'Authentication',
          description: 'How requests sign in',
          value_titles: { token: 'A token, or nothing', oauth2: 'OAuth 2' }
        })
      ),
      ...OAUTH_SETTINGS
    },
    strict
  ),
  secrets: {
    token: { title: 'Token', shownWhen: { auth: ['token'] } },
    client_secret: CLIENT_SECRET
  },
  headerSecrets: () => ['token'],
  destinations: ({ url, token_url }) => [...destinationsOfUrl(url), ...destinationsOfUrl(token_url)]
}

export const CONNECTION_KINDS = {
  http,
  webhook,
  postgres: database('PostgreSQL', 5432),
  mysql: database('MySQL or MariaDB', 3306),
  sqlite,
  smtp,
  openai: modelProvider('OpenAI', 'https://api.openai.com/v1'),
  anthropic: modelProvider('Anthropic', 'https://api.anthropic.com/v1'),
  google: modelProvider('Google', 'https://generativelanguage.googleapis.com/v1beta'),
  'openai-compatible': openaiCompatible,
  mcp
} as const satisfies Readonly<Record<string, ConnectionKind>>

export type KindName = keyof typeof CONNECTION_KINDS

export function kindOf(name: string): ConnectionKind | undefined {
  return Object.hasOwn(CONNECTION_KINDS, name) ? CONNECTION_KINDS[name as KindName] : undefined
}
