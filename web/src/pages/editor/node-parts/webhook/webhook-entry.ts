import { defaultOf, type Field } from '../../../../../../src/flows/component/component.ts'
import { fillVariables, VariableMissing } from '../../../../../../src/flows/component/context-variables.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { readWebhookAuth, type WebhookAuth } from '../../../../../../src/flows/webhook-auth.ts'
import { readWebhookMethods } from '../../../../../../src/flows/webhook-methods.ts'
import { type HmacRule, readHmacRule } from '../../../../../../src/flows/webhook-signatures.ts'
import type { ContextScope } from '../../../../api/context-scope.ts'
import { counted } from '../../../../design/counted.ts'

/** What an endpoint asks of its callers, as the service will read it: the node, else its context, else the default. */
export interface WebhookEntry {
  /** Those that start the flow. */
  readonly methods: readonly string[]
  readonly auth: WebhookAuth
  readonly scheme: string
  /** How callers sign by HMAC; null where the fields say no whole rule. */
  readonly hmac: HmacRule | null
  /** Where callers have a token. */
  readonly tokenHeader: string
  readonly basicUser: string
  /** With the variables of the context filled in; empty where there is none, and then nothing is let in. */
  readonly secret: string
  /** The connection that holds the secret, which no page can read; empty where the node names none. */
  readonly sender: string
  /** Requests per minute; 0 is no limit. */
  readonly rateLimit: number
  /** Runs at the same time; 0 is no limit. */
  readonly concurrency: number
  /** The contexts that say what the node does not. */
  readonly inherited: { readonly auth?: string; readonly rateLimit?: string; readonly concurrency?: string }
}

interface WebhookNode {
  readonly fields: Readonly<Record<string, unknown>>
  readonly component: { readonly fields: Readonly<Record<string, Field>> }
}

export function webhookEntry(
  { fields, component }: WebhookNode,
  { settings, variables }: ContextScope
): WebhookEntry {
  const says = (field: string) => Object.hasOwn(fields, field)
  const own = (field: string) => (says(field) ? fields[field] : defaultIn(component.fields, field))
  const auth = says('auth') ? undefined : settings.auth
  const rateLimit = says('rate_limit') ? undefined : settings.rateLimit
  const concurrency = says('concurrency') ? undefined : settings.concurrency
  return {
    methods: readWebhookMethods(own('methods')),
    auth: readWebhookAuth(auth?.value ?? own('auth')),
    scheme: String(own('signature_scheme') ?? ''),
    hmac: readHmacRule(Object.fromEntries(Object.keys(component.fields).map((name) => [name, own(name)]))),
    tokenHeader: String(own('token_header') ?? ''),
    basicUser: String(own('basic_user') ?? ''),
    secret: filled(String(own('signing_secret') ?? ''), variables),
    sender: String(own('connection') ?? ''),
    rateLimit: rateLimit?.value ?? Number(own('rate_limit') ?? 0),
    concurrency: concurrency?.value ?? Number(own('concurrency') ?? 0),
    inherited: {
      ...(auth === undefined ? {} : { auth: auth.context }),
      ...(rateLimit === undefined ? {} : { rateLimit: rateLimit.context }),
      ...(concurrency === undefined ? {} : { concurrency: concurrency.context })
    }
  }
}

function defaultIn(fields: Readonly<Record<string, Field>>, name: string): JsonValue | undefined {
  const field = fields[name]
  return field === undefined ? undefined : defaultOf(field)
}

function filled(secret: string, variables: ContextScope['variables']): string {
  try {
    return fillVariables(secret, 'signing_secret', variables)
  } catch (error) {
    if (error instanceof VariableMissing) return ''
    throw error
  }
}

/** What a limit is where the node says nothing of it; undefined where no context says anything either. */
export function inheritedLimit(
  { rateLimit, concurrency, inherited }: WebhookEntry,
  field: string
): string | undefined {
  const [limit, context] =
    field === 'rate_limit' ? [rateLimit, inherited.rateLimit] : [concurrency, inherited.concurrency]
  return context === undefined ? undefined : `${limit === 0 ? 'No limit' : limit}, set by ${context}`
}

interface EntryFact {
  readonly text: string
  readonly isWarning: boolean
}

/** What callers need to know, in words: the fields say it too, but half of them are hidden. */
export function entryFacts(entry: WebhookEntry): EntryFact[] {
  const { rateLimit, concurrency, inherited } = entry
  return [
    { ...authFact(entry), by: inherited.auth },
    ...(rateLimit > 0
      ? [{ text: `At most ${counted(rateLimit, 'request')} a minute`, by: inherited.rateLimit }]
      : []),
    ...(concurrency > 0
      ? [{ text: `At most ${counted(concurrency, 'run')} at a time`, by: inherited.concurrency }]
      : [])
  ].map(({ by, ...fact }) => ({
    isWarning: false,
    ...fact,
    text: by === undefined ? fact.text : `${fact.text} (set by the context ${by})`
  }))
}

function authFact(entry: WebhookEntry): Pick<EntryFact, 'text'> & Partial<EntryFact> {
  const { auth, scheme, tokenHeader, basicUser, secret, sender } = entry
  if (auth === 'None') return { text: 'Anyone who knows the address can start this flow', isWarning: true }
  if (auth === 'API key') return { text: 'Callers send an API key in x-api-key' }
  if (secret === '' && sender === '')
    return { text: 'No secret is set: every request is refused', isWarning: true }
  if (auth === 'Token') return { text: `Callers send the secret in ${tokenHeader}` }
  if (auth === 'Basic') return { text: `Callers send the name ${basicUser} and the secret as password` }
  return { text: `Callers sign their requests: ${scheme}` }
}
