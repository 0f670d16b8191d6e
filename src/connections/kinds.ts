import Type, { type TObject } from 'typebox'
import type { Destination } from '../egress/address-policy.ts'
import { destinationOf } from '../egress/guarded-lookup.ts'

/** What a kind of connection holds. The page draws its form from this, the API checks with it. */
export interface ConnectionKind {
  readonly title: string
  /** One sentence on what it is for. */
  readonly description: string
  readonly settings: TObject
  /** Names of its secrets; which of them are needed may depend on the settings. */
  readonly secrets: Readonly<Record<string, SecretFacts>>
  /** Where it leads; nowhere where that is no place on a network. */
  readonly destinations: (settings: Settings) => Destination[]
}

export interface SecretFacts {
  readonly title: string
  readonly isNeeded: (settings: Settings) => boolean
}

export type Settings = Readonly<Record<string, unknown>>

const strict = { additionalProperties: false }
const url = (description: string) =>
  Type.String({ pattern: '^https?://[^\\s/?#]+[^\\s]*$', maxLength: 2000, description })
const text = (description: string, options = {}) =>
  Type.String({ minLength: 1, maxLength: 1000, description, ...options })
const port = (standard: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      default: standard,
      description: `${standard} where it is left out`
    })
  )

const always = () => true
const never = () => false

export const HTTP_AUTHS = ['none', 'bearer', 'basic', 'header', 'oauth2'] as const
export type HttpAuth = (typeof HTTP_AUTHS)[number]

const http: ConnectionKind = {
  title: 'HTTP',
  description: 'An API, with what it takes to get in',
  settings: Type.Object(
    {
      base_url: url('Where the API begins: relative addresses of nodes follow it'),
      auth: Type.Optional(
        Type.Enum(HTTP_AUTHS, { default: 'none', description: 'How a request shows who sends it' })
      ),
      user: Type.Optional(text('For basic')),
      header: Type.Optional(text('For header: its name', { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" })),
      grant: Type.Optional(
        Type.Enum(['client_credentials', 'authorization_code'], {
          default: 'client_credentials',
          description: 'For oauth2: the service signs in itself, or a person does so once'
        })
      ),
      token_url: Type.Optional(url('For oauth2: where tokens come from')),
      authorize_url: Type.Optional(url('For oauth2 with a person: where they sign in')),
      client_id: Type.Optional(text('For oauth2')),
      scope: Type.Optional(text('For oauth2: what is asked for, parted by spaces'))
    },
    strict
  ),
  secrets: {
    token: { title: 'Token', isNeeded: ({ auth }) => auth === 'bearer' },
    password: { title: 'Password', isNeeded: ({ auth }) => auth === 'basic' },
    value: { title: 'Value of the header', isNeeded: ({ auth }) => auth === 'header' },
    client_secret: {
      title: 'Client secret',
      isNeeded: ({ auth, grant }) => auth === 'oauth2' && grant !== 'authorization_code'
    }
  },
  destinations: ({ base_url, token_url }) => [...destinationsOfUrl(base_url), ...destinationsOfUrl(token_url)]
}

const webhook: ConnectionKind = {
  title: 'Webhook',
  description: 'A sender that signs its requests, or a receiver of ours',
  settings: Type.Object({ url: Type.Optional(url('Where requests are sent; a sender has none')) }, strict),
  secrets: { signing_secret: { title: 'Signing secret', isNeeded: always } },
  destinations: ({ url }) => destinationsOfUrl(url)
}

function database(title: string, standardPort: number): ConnectionKind {
  return {
    title,
    description: `A ${title} database`,
    settings: Type.Object(
      {
        host: text('Name or address of the server'),
        port: port(standardPort),
        database: text('Name of the database'),
        user: text('Who signs in'),
        ssl: Type.Optional(
          Type.Union([Type.Boolean(), Type.Literal('no-verify')], {
            default: false,
            description: 'Encrypted, with a certificate that is checked; "no-verify" leaves the check out'
          })
        ),
        ca: Type.Optional(
          text('Certificate of the authority, where it is a private one (PEM)', { maxLength: 20_000 })
        ),
        read_only: Type.Optional(Type.Boolean({ default: false, description: 'Nothing can be written' }))
      },
      strict
    ),
    secrets: { password: { title: 'Password', isNeeded: never } },
    destinations: ({ host, port = standardPort }) => [{ host: String(host), port: Number(port) }]
  }
}

const sqlite: ConnectionKind = {
  title: 'SQLite',
  description: 'A database in a file of the machine that Millrace runs on',
  settings: Type.Object(
    {
      file: text('Path of the file'),
      read_only: Type.Optional(Type.Boolean({ default: false, description: 'Nothing can be written' }))
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
      host: text('Name or address of the server'),
      port: port(587),
      secure: Type.Optional(
        Type.Boolean({ default: false, description: 'TLS from the first byte, as on port 465' })
      ),
      user: Type.Optional(text('Who signs in')),
      from: text('The sender of messages that name none')
    },
    strict
  ),
  secrets: { password: { title: 'Password', isNeeded: ({ user }) => user !== undefined } },
  destinations: ({ host, port = 587 }) => [{ host: String(host), port: Number(port) }]
}

function modelProvider(title: string, standardUrl: string): ConnectionKind {
  return {
    title,
    description: `Models of ${title}`,
    settings: Type.Object({ base_url: Type.Optional(url(`${standardUrl} where it is left out`)) }, strict),
    secrets: { api_key: { title: 'API key', isNeeded: always } },
    destinations: ({ base_url = standardUrl }) => destinationsOfUrl(base_url)
  }
}

const openaiCompatible: ConnectionKind = {
  title: 'OpenAI-compatible',
  description: 'Models behind an address that speaks OpenAI’s protocol: Ollama, vLLM, llama.cpp, OpenRouter',
  settings: Type.Object({ base_url: url('Up to and with /v1') }, strict),
  secrets: { api_key: { title: 'API key', isNeeded: never } },
  destinations: ({ base_url }) => destinationsOfUrl(base_url)
}

const mcp: ConnectionKind = {
  title: 'MCP',
  description: 'A server of tools for agents',
  settings: Type.Object({ url: url('Where it answers') }, strict),
  secrets: { token: { title: 'Token', isNeeded: never } },
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

function destinationsOfUrl(given: unknown): Destination[] {
  if (typeof given !== 'string' || !URL.canParse(given)) return []
  const { hostname, port, protocol } = new URL(given)
  return [destinationOf(hostname, port, protocol)]
}
