import {
  compileTemplate,
  defineComponent,
  type FieldFault,
  type FieldValues,
  inTurns,
  type JsonValue,
  type OpenConnection,
  type Step,
  scopeOf,
  templateTreeFaults
} from '../../plugin-api.ts'
import { bodySource, buildBody } from './build-body.ts'
import { buildUrl } from './build-url.ts'
import { asDeliveryError, DeliveryRefused, verdictOf } from './delivery-error.ts'
import { readBeginning } from './read-bytes.ts'
import { withoutQuery } from './refused-answer.ts'
import { deliveryHeaders, secretsOf } from './sign-delivery.ts'
import { gathered } from './streamed-body.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** As Standard Webhooks recommends, three days in all. */
const SCHEDULE = [
  5_000,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR
]

/** How much of an answer is kept, in bytes; nobody promises to send anything worth more. */
const KEPT = 10_000

/** What is signed is held: a file as the body may have so many bytes. */
const MOST_SIGNED = 25 * 1024 ** 2

const FIELDS = {
  connection: {
    kind: 'connection',
    title: 'Connection',
    help: 'The receiver and the secret that signs. Without one, the event is not signed.',
    kinds: ['webhook'],
    optional: true
  },
  url: {
    kind: 'template',
    title: 'URL',
    help: 'Empty: the address of the connection. A path follows it; a complete URL takes its place.',
    placeholder: '{customer.webhook_url}'
  },
  body: {
    kind: 'json',
    title: 'Body',
    help: 'An object of templates, or one template. Empty: the data as JSON.',
    placeholder: '{ "type": "order.paid", "data": "{order}" }'
  }
} as const

type Values = FieldValues<typeof FIELDS>

/** Delivers an event to somebody else's webhook, signed, and for days if it has to. */
export const sendWebhook = defineComponent({
  type: 'send-webhook',
  title: 'Send webhook',
  description:
    'Sends a signed event to a webhook. Where nobody takes it, it is sent again over three days; the run waits meanwhile and costs nothing.',
  category: 'Reach out',
  icon: 'send',
  keywords: [
    'webhook',
    'event',
    'http',
    'post',
    'callback',
    'notify',
    'push',
    'forward',
    'outgoing',
    'signed',
    'svix',
    'slack',
    'discord',
    'teams'
  ],
  example: 'Tells the webhook of every customer that {order_id} was paid.',
  fields: FIELDS,
  mainFields: ['url'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    result: { title: 'Result', type: 'any', help: 'What the receiver answered, and at which attempt.' }
  },
  retry: { attempts: SCHEDULE.length + 1, schedule: SCHEDULE },
  timeoutMs: 30_000,
  check: faultsOf,
  prepare: ({ url, body }) => ({ url: compileTemplate(url.trim()), body: bodySource(body) }),
  run: deliver
})

function faultsOf(fields: Values): FieldFault[] {
  const isAbsolute = /^\s*(?:https?:\/\/|\{)/i.test(fields.url)
  const faults: FieldFault[] = (['url', 'body'] as const).flatMap((field) =>
    templateTreeFaults(fields[field]).map((fault) => ({ field, ...fault }))
  )
  if (fields.connection !== '' || isAbsolute) return faults
  const message =
    'Without a connection the URL begins with http:// or https://. Write a whole one, or choose a connection.'
  return [...faults, { field: 'url', code: 'url_invalid', message }]
}

type WebhookStep = Step<
  typeof FIELDS,
  { readonly data: { readonly title: string; readonly type: 'any' } },
  { readonly url: ReturnType<typeof compileTemplate>; readonly body: ReturnType<typeof bodySource> }
>

async function deliver(step: WebhookStep) {
  const { fields, prepared, inputs, run, idempotencyKey } = step
  const data = (inputs.data ?? null) as JsonValue
  const scope = scopeOf(data, run.variables)
  const connection = fields.connection === '' ? undefined : step.connection(fields.connection, ['webhook'])
  const url = buildUrl(
    { url: prepared.url, query: undefined, hasConnection: connection !== undefined },
    scope
  )
  const made = {
    source: prepared.body,
    type: 'Auto',
    method: 'POST',
    headers: {},
    data,
    scope,
    boundary: ''
  } as const
  const body = (await inTurns(buildBody(made), step))!
  const content = await gathered(body.content, step, MOST_SIGNED)
  const id = `msg_${idempotencyKey.replaceAll('/', '_')}`
  const signed = deliveryHeaders({
    id,
    now: step.now(),
    body: content,
    secrets: signingSecrets(connection)
  })
  const send = connection?.request ?? step.request
  const who = hostOf(url, connection)
  const headers = {
    'user-agent': 'Millrace',
    'content-type': body.contentType,
    'idempotency-key': idempotencyKey,
    ...signed
  }
  const post = async () => {
    try {
      const answer = await send(url, { method: 'POST', headers, body: content, redirect: 'manual' })
      const said = await readBeginning(answer, KEPT)
      if (answer.status < 200 || answer.status > 299)
        throw new DeliveryRefused(answer, said.slice(0, 500), step.now())
      return {
        webhook_id: id,
        status: answer.status,
        url: withoutQuery(answer.url),
        attempts: step.attempt,
        body: said
      }
    } catch (error) {
      throw asDeliveryError(step.signal.aborted ? step.signal.reason : error, who)
    }
  }
  return { result: await step.circuit(destinationOf(url, connection)).call(post, verdictOf) }
}

function signingSecrets(connection: OpenConnection | undefined): readonly string[] {
  return connection === undefined ? [] : secretsOf(connection.secrets.signing_secret ?? '')
}

/** Paths of one host may be receivers of different people; all that a connection leads to is one receiver. */
function destinationOf(url: string, connection: OpenConnection | undefined): string {
  if (connection === undefined || /^https?:\/\//i.test(url)) return withoutQuery(url)
  return `the connection "${connection.name}"`
}

function hostOf(url: string, connection: OpenConnection | undefined): string {
  return URL.parse(url)?.host ?? `the address of the connection "${connection?.name ?? ''}"`
}
