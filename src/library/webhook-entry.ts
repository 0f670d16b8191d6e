import type { CompiledSchema } from '../components/schema/compile-schema.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import { resolveFields } from '../flows/component/component.ts'
import { fillVariables, readsVariables } from '../flows/component/context-variables.ts'
import { readCorsOrigins } from '../flows/cors-origins.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import { readDuration } from '../flows/duration.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { compileTemplate, type Template } from '../flows/template/compile-template.ts'
import { TemplateError } from '../flows/template/template-error.ts'
import {
  type Handshake,
  isBySecret,
  readHandshake,
  readWebhookAuth,
  type WebhookAuth
} from '../flows/webhook-auth.ts'
import { readWebhookMethods } from '../flows/webhook-methods.ts'
import { type HmacRule, readHmacRule } from '../flows/webhook-signatures.ts'
import { payloadSchema } from './payload-schema.ts'
import { secretsIn } from './signing-secrets.ts'
import { startNodes } from './start-nodes.ts'

/** What a flow's endpoint asks of its callers: the fields of its Webhook node. */
export interface WebhookEntry {
  /** Those that start the flow, in one order. */
  readonly methods: readonly string[]
  readonly auth: WebhookAuth
  readonly signatureScheme: string
  /** How callers sign by HMAC; null where the fields say no whole rule. */
  readonly hmac: HmacRule | null
  /** Whoever signs with one of these, or sends one as its token or password, is let in. */
  readonly signingSecrets: readonly string[]
  /** Where a token is; in lower case. */
  readonly tokenHeader: string
  readonly basicUser: string
  /** The question of the sender that is answered, and starts nothing. */
  readonly handshake: Handshake
  /** Origins whose pages may call it; `*` are all. */
  readonly corsOrigins: readonly string[]
  /** What payloads have to fit; null where any is taken. */
  readonly schema: CompiledSchema | null
  /** Requests per minute; 0 is no limit. */
  readonly rateLimit: number
  /** Runs at the same time; 0 is no limit. */
  readonly concurrency: number
  /** What names a delivery by its payload, so that one that comes again is known; null where nothing does. */
  readonly deduplicateBy: { readonly template: Template; readonly variables: Variables } | null
  /** Names, in lower case, of headers and query parameters that are not stored; null where the node names none. */
  readonly hidden: ReadonlySet<string> | null
  /** How long a caller waits for what the flow answers, in milliseconds; null where it is told at once that the run has started. */
  readonly answersWithin: number | null
  /** Whether a POST with JSON starts a run and nothing else has to be asked or done; see webhook-fast-path.ts. */
  readonly isPlain: boolean
}

type Variables = Readonly<Record<string, JsonValue>>

/** What the context of a flow sets where its Webhook node does not say otherwise. */
export interface EntryDefaults {
  of(context: string, name: 'default_auth' | 'rate_limit' | 'concurrency'): unknown
  /** What `{$name}` reads in the node's fields. */
  variables(context: string): Variables
  /** The secret of a sender, by the name of its connection; undefined where there is none, or it cannot be opened. */
  signingSecret(context: string, connection: string): string | undefined
  /** Changes whenever an answer of the others may. */
  revision(): number
}

/** The node whose fields say what the endpoint asks for. */
export function webhookNode(document: FlowDocument, catalogue: Catalogue): FlowNode | undefined {
  const { context } = document
  return startNodes(document).find(({ type }) => catalogue.find(context, type)?.trigger === 'webhook')
}

export function webhookEntry(
  document: FlowDocument,
  catalogue: Catalogue,
  defaults: EntryDefaults
): WebhookEntry | null {
  const { context } = document
  const node = webhookNode(document, catalogue)
  if (node === undefined) return null
  const fields = resolveFields(catalogue.find(context, node.type)!, node.fields as Record<string, JsonValue>)
  const said = (field: string, setting: Parameters<EntryDefaults['of']>[1]) =>
    Object.hasOwn(node.fields, field) ? fields[field] : (defaults.of(context, setting) ?? fields[field])
  // A trigger of a plugin may have no such field.
  const auth = readWebhookAuth(said('auth', 'default_auth'))
  const hmac = readHmacRule(fields)
  const tokenHeader = String(fields.token_header ?? '')
    .trim()
    .toLowerCase()
  const entry = {
    methods: readWebhookMethods(fields.methods),
    auth,
    signatureScheme: String(fields.signature_scheme ?? ''),
    hmac,
    signingSecrets: signingSecretsOf(fields, context, defaults),
    tokenHeader,
    basicUser: String(fields.basic_user ?? ''),
    handshake: readHandshake(fields.handshake),
    corsOrigins: readCorsOrigins(fields.cors_origins),
    schema: payloadSchema(fields.schema),
    rateLimit: Number(said('rate_limit', 'rate_limit') ?? 0),
    concurrency: Number(said('concurrency', 'concurrency') ?? 0),
    deduplicateBy: deduplicationOf(fields.deduplicate_by, defaults.variables(context)),
    hidden: hiddenNames(fields.hide, isBySecret(auth) ? [tokenHeader, hmac?.header ?? ''] : []),
    answersWithin: answersWithin(fields)
  }
  return { ...entry, isPlain: isPlain(entry) }
}

function isPlain(entry: Omit<WebhookEntry, 'isPlain'>): boolean {
  const { methods, handshake, corsOrigins, schema, rateLimit, deduplicateBy } = entry
  const isAnswered = methods.includes('POST') && handshake === 'None' && corsOrigins.length === 0
  return isAnswered && schema === null && rateLimit === 0 && deduplicateBy === null
}

/** The connection's; the field is for secrets that are not sealed in a connection, and for variables. */
function signingSecretsOf(
  { connection, signing_secret: field }: Readonly<Record<string, JsonValue>>,
  context: string,
  defaults: EntryDefaults
): readonly string[] {
  const name = String(connection ?? '')
  const secret = name === '' ? undefined : defaults.signingSecret(context, name)
  if (secret !== undefined) return secretsIn(secret)
  const own = secretOf(field, defaults.variables(context))
  return own === '' ? [] : [own]
}

/** As a step would read the field. Where a variable is missing there is no secret, and then nothing is let in. */
function secretOf(field: JsonValue | undefined, variables: Variables): string {
  const text = String(field ?? '')
  if (!readsVariables(text)) return text
  try {
    return fillVariables(text, 'signing_secret', variables)
  } catch {
    return ''
  }
}

/** Long ago somebody may have saved what is no length of time. */
function answersWithin({ respond, respond_within }: Readonly<Record<string, JsonValue>>): number | null {
  if (respond !== 'When the flow answers') return null
  const ms = readDuration(String(respond_within))
  return typeof ms === 'number' ? ms : DEFAULT_WAIT_MS
}

const DEFAULT_WAIT_MS = 30_000

/** `proofs`: headers by which callers prove themselves, whatever they are called. */
function hiddenNames(field: JsonValue | undefined, proofs: readonly string[]): WebhookEntry['hidden'] {
  const names = String(field ?? '')
    .toLowerCase()
    .split(/[,\n]/)
    .map((name) => name.trim())
  const named = [...names, ...proofs].filter((name) => name !== '' && name !== 'authorization')
  return named.length === 0 ? null : new Set(named)
}

/** A template of a plugin's trigger may be unsound: that names nothing, as an empty one does. */
function deduplicationOf(field: JsonValue | undefined, variables: Variables): WebhookEntry['deduplicateBy'] {
  if (typeof field !== 'string' || field === '') return null
  try {
    return { template: compileTemplate(field), variables }
  } catch (error) {
    if (error instanceof TemplateError) return null
    throw error
  }
}
