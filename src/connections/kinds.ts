import type { TObject } from 'typebox'
import type { Destination } from '../egress/address-policy.ts'
import { destinationOf } from '../egress/guarded-lookup.ts'
import { Type } from '../flows/json/schema-builder.ts'
import { holds, type SettingCondition } from './setting-condition.ts'
import { authority, flag, port, text, url } from './setting-schemas.ts'

/** What a kind of connection holds. The page draws its form from this, the API checks with it. */
export interface ConnectionKind {
  readonly title: string
  /** One sentence on what it is for. */
  readonly description: string
  /** Each setting has a `title`; `shown_when` says where it matters, `value_titles` what its choices are called. */
  readonly settings: TObject
  /** By their names; which of them are needed may depend on the settings. */
  readonly secrets: Readonly<Record<string, SecretFacts>>
  /** Its address where the settings give none. */
  readonly standardUrl?: string
  /** Where it leads; nowhere where that is not a place on a network. */
  readonly destinations: (settings: Settings) => Destination[]
}

export interface SecretFacts {
  readonly title: string
  /** Where it matters; everywhere where this is left out. */
  readonly shownWhen?: SettingCondition
  /** Where it does not work without it; nowhere where this is left out. */
  readonly neededWhen?: SettingCondition
}

export type Settings = Readonly<Record<string, unknown>>

const strict = { additionalProperties: false }
const ALWAYS: SettingCondition = {}

export const HTTP_AUTHS = ['none', 'bearer', 'basic', 'header', 'oauth2'] as const
export type HttpAuth = (typeof HTTP_AUTHS)[number]

const oauth2: SettingCondition = { auth: ['oauth2'] }

const http: ConnectionKind = {
  title: 'HTTP',
  description: 'An HTTP API and how to sign in to it',
  settings: Type.Object(
    {
      base_url: url({
        title: 'Base URL',
        description: 'Relative URLs of nodes are appended to it'
      }),
      auth: Type.Optional(
        Type.Enum(HTTP_AUTHS, {
          default: 'none',
          title: 'Authentication',
          description: 'How requests sign in',
          value_titles: {
            none: 'None',
            bearer: 'Bearer token',
            basic: 'User and password',
            header: 'A header of its own',
            oauth2: 'OAuth 2'
          }
        })
      ),
      user: Type.Optional(
        text({
          title: 'User',
          description: 'User name for basic authentication',
          shown_when: { auth: ['basic'] },
          needed_when: { auth: ['basic'] }
        })
      ),
      header: Type.Optional(
        text({
          title: 'Header',
          description: 'Name of the header that carries the value',
          pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
          shown_when: { auth: ['header'] },
          needed_when: { auth: ['header'] }
        })
      ),
      grant: Type.Optional(
        Type.Enum(['client_credentials', 'authorization_code'], {
          default: 'client_credentials',
          title: 'Who signs in',
          description: 'Whether Millrace signs in by itself or a person does, once',
          value_titles: {
            client_credentials: 'The service itself (client credentials)',
            authorization_code: 'A person, once (authorization code)'
          },
          shown_when: oauth2
        })
      ),
      token_url: Type.Optional(
        url({
          title: 'Token URL',
          description: 'The token endpoint of the provider',
          shown_when: oauth2,
          needed_when: oauth2
        })
      ),
      authorize_url: Type.Optional(
        url({
          title: 'Sign-in URL',
          description: 'The authorization endpoint of the provider, where the person signs in',
          shown_when: { ...oauth2, grant: ['authorization_code'] },
          needed_when: { ...oauth2, grant: ['authorization_code'] }
        })
      ),
      client_id: Type.Optional(
        text({
          title: 'Client ID',
          description: 'The ID that the provider gave this client',
          shown_when: oauth2,
          needed_when: oauth2
        })
      ),
      client_auth: Type.Optional(
        Type.Enum(['basic', 'body'], {
          default: 'basic',
          title: 'Client authentication',
          description: 'How the client secret is sent; a few providers want it in the body',
          value_titles: { basic: 'HTTP Basic', body: 'In the body' },
          shown_when: oauth2
        })
      ),
      scope: Type.Optional(
        text({
          title: 'Scope',
          description: 'Scopes to ask for, separated by spaces',
          shown_when: oauth2
        })
      )
    },
    strict
  ),
  secrets: {
    token: secretFor('Token', { auth: ['bearer'] }),
    password: secretFor('Password', { auth: ['basic'] }),
    value: secretFor('Value of the header', { auth: ['header'] }),
    client_secret: {
      title: 'Client secret',
      shownWhen: oauth2,
      neededWhen: { ...oauth2, grant: ['client_credentials'] }
    }
  },
  destinations: ({ base_url, token_url }) => [...destinationsOfUrl(base_url), ...destinationsOfUrl(token_url)]
}

/** Needed wherever it matters. */
function secretFor(title: string, when: SettingCondition): SecretFacts {
  return { title, shownWhen: when, neededWhen: when }
}

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
  destinations: ({ base_url }) => destinationsOfUrl(base_url)
}

const mcp: ConnectionKind = {
  title: 'MCP',
  description: 'A server that offers tools to agents',
  settings: Type.Object({ url: url({ title: 'URL', description: 'Address of the server' }) }, strict),
  secrets: { token: { title: 'Token' } },
  destinations: ({ url }) => destinationsOfUrl(url)
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

/** Whether a connection of this kind with these settings does not work without the secret. */
export function isNeeded(kind: ConnectionKind, secret: SecretFacts, settings: Settings): boolean {
  return secret.neededWhen !== undefined && holds(secret.neededWhen, withDefaults(kind, settings))
}

/** Names of settings that a connection of this kind does not work without, by what the others are. */
export function missingSettings(kind: ConnectionKind, settings: Settings): string[] {
  const whole = withDefaults(kind, settings)
  return Object.entries(kind.settings.properties).flatMap(([name, schema]) => {
    const { needed_when: when } = schema as { readonly needed_when?: SettingCondition }
    return when !== undefined && holds(when, whole) && settings[name] === undefined ? [name] : []
  })
}

/** Whether it matters at all to a connection with these settings. */
export function isShown(kind: ConnectionKind, secret: SecretFacts, settings: Settings): boolean {
  return secret.shownWhen === undefined || holds(secret.shownWhen, withDefaults(kind, settings))
}

export function withDefaults(kind: ConnectionKind, settings: Settings): Settings {
  const defaults = Object.entries(kind.settings.properties).flatMap(([name, schema]) =>
    'default' in schema ? [[name, schema.default]] : []
  )
  return { ...Object.fromEntries(defaults), ...settings }
}

function destinationsOfUrl(given: unknown): Destination[] {
  if (typeof given !== 'string' || !URL.canParse(given)) return []
  const { hostname, port, protocol } = new URL(given)
  return [destinationOf(hostname, port, protocol)]
}
