import {
  compileTemplate,
  type FieldFault,
  isHeaderName,
  type JsonValue,
  originFault,
  readDuration,
  readSignedText,
  templateFault
} from '../../plugin-api.ts'
import { schemaFault } from '../schema/compile-schema.ts'

interface WebhookFields extends SignatureFields, TokenFields, BasicFields, RuleFields, WaitFields {
  readonly methods: readonly string[]
  readonly cors_origins: readonly string[]
  readonly schema: JsonValue
  readonly deduplicate_by: string
}

/** What is wrong with the fields of a Webhook, as far as they alone tell. */
export function webhookFaults(fields: WebhookFields): FieldFault[] {
  return [
    ...methodFaults(fields.methods),
    ...waitFaults(fields),
    ...tokenFaults(fields),
    ...basicFaults(fields),
    ...ruleFaults(fields),
    ...secretFaults(fields),
    ...originFaults(fields.cors_origins),
    ...schemaFaults(fields.schema),
    ...templateFaults(fields.deduplicate_by)
  ]
}

function methodFaults(methods: readonly string[]): FieldFault[] {
  if (methods.length > 0) return []
  return [
    { field: 'methods', message: 'No request could start the flow. Choose at least one, such as POST.' }
  ]
}

function originFaults(origins: readonly string[]): FieldFault[] {
  return origins
    .map(originFault)
    .filter((fault) => fault !== undefined)
    .map((message) => ({ field: 'cors_origins', message }))
}

function schemaFaults(schema: JsonValue): FieldFault[] {
  const fault = schema === null ? undefined : schemaFault(schema)
  return fault === undefined ? [] : [{ field: 'schema', message: `The schema ${fault}` }]
}

/** Whoever waits holds a connection, and most callers give up sooner. */
const LONGEST_WAIT_MS = 5 * 60_000

interface WaitFields {
  readonly respond: string
  readonly respond_within: string
}

function waitFaults({ respond, respond_within }: WaitFields): FieldFault[] {
  if (respond === 'At once') return []
  const ms = readDuration(respond_within)
  if (typeof ms !== 'number') return [{ field: 'respond_within', message: ms.wrong }]
  if (ms > 0 && ms <= LONGEST_WAIT_MS) return []
  const message = `It is ${respond_within.trim()}. Write a time of at most 5m, such as 30s.`
  return [{ field: 'respond_within', message }]
}

interface SignatureFields {
  readonly auth: string
  readonly signing_secret: string
  readonly signature_scheme: string
}

interface TokenFields {
  readonly auth: string
  readonly token_header: string
}

function tokenFaults({ auth, token_header }: TokenFields): FieldFault[] {
  return auth === 'Token' ? headerFaults('token_header', token_header) : []
}

interface BasicFields {
  readonly auth: string
  readonly basic_user: string
}

/** What follows the first colon is the password, so a name has none. */
function basicFaults({ auth, basic_user }: BasicFields): FieldFault[] {
  if (auth !== 'Basic') return []
  if (basic_user === '') return [{ field: 'basic_user', message: 'Basic authentication needs a user name.' }]
  return basic_user.includes(':')
    ? [{ field: 'basic_user', message: 'A user name holds no colon: what follows it is the password.' }]
    : []
}

interface RuleFields {
  readonly auth: string
  readonly signature_scheme: string
  readonly signature_header: string
  readonly signed_text: string
  readonly timestamp_header: string
}

/** Without a whole rule no signature is good, and nobody would know why. */
function ruleFaults(fields: RuleFields): FieldFault[] {
  if (fields.auth !== 'Signature' || fields.signature_scheme !== 'HMAC') return []
  return [
    ...headerFaults('signature_header', fields.signature_header),
    ...signedTextFaults(fields.signed_text),
    ...(fields.timestamp_header.trim() === ''
      ? []
      : headerFaults('timestamp_header', fields.timestamp_header))
  ]
}

function headerFaults(field: string, name: string): FieldFault[] {
  if (isHeaderName(name.trim())) return []
  const what = name.trim() === '' ? 'There is none' : `${JSON.stringify(name)} is none`
  return [{ field, message: `It takes the name of a header, such as x-signature. ${what}.` }]
}

function signedTextFaults(text: string): FieldFault[] {
  const field = 'signed_text'
  if (readSignedText(text) === undefined) {
    const message =
      'It does not hold {body}: a signature of anything else would be good for whatever is sent with it.'
    return [{ field, message }]
  }
  const [unknown] = /\{(?!(?:body|method|url|header:[^{}\s]+)\})[^{}]*\}/.exec(text) ?? []
  if (unknown === undefined) return []
  const message = `${unknown} is not known here. What is signed may hold {body}, {header:name}, {method} and {url}.`
  return [{ field, message }]
}

function secretFaults({ auth, signing_secret, signature_scheme }: SignatureFields): FieldFault[] {
  if (auth !== 'Signature' || signature_scheme !== 'Standard Webhooks' || !isBadSecret(signing_secret))
    return []
  return [
    {
      field: 'signing_secret',
      message: 'The secret is not base64. Paste it as the sender shows it, for example "whsec_…".'
    }
  ]
}

function templateFaults(template: string): FieldFault[] {
  if (template === '') return []
  const fault = templateFault(template)
  if (fault !== undefined) return [{ field: 'deduplicate_by', ...fault }]
  const { variables, contextVariables } = compileTemplate(template)
  if (contextVariables.includes('run'))
    return [
      {
        field: 'deduplicate_by',
        message: 'It reads {$run}, and there is no run before the request is taken. Name a key, such as {id}.'
      }
    ]
  if (variables.length > 0 || contextVariables.includes('data')) return []
  return [
    {
      field: 'deduplicate_by',
      message: 'It reads nothing of the payload, so all requests would be one. Name a key, such as {id}.'
    }
  ]
}

/** Text that holds no base64 stands for an empty key, and with that anyone could sign. A variable is not known yet. */
function isBadSecret(secret: string): boolean {
  return (
    secret !== '' && !secret.includes('{$') && !/^[A-Za-z0-9+/_-]{2,}=*$/.test(secret.replace(/^whsec_/, ''))
  )
}
