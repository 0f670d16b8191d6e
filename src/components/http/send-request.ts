import type { JsonValue, OpenConnection, Step } from '../../plugin-api.ts'
import type { Body } from './build-body.ts'
import type { Headers } from './build-headers.ts'
import { type AnswerFields, call } from './call.ts'
import { type Pagination, readPages } from './paginate.ts'
import { ByteAllowance } from './read-bytes.ts'
import { sendable } from './streamed-body.ts'

interface Sending {
  readonly step: Pick<
    Step,
    | 'connection'
    | 'request'
    | 'idempotencyKey'
    | 'outputLimit'
    | 'ifTimedOut'
    | 'pause'
    | 'files'
    | 'carried'
    | 'run'
    | 'signal'
  >
  readonly fields: AnswerFields
  readonly pagination: Pagination | undefined
  readonly method: string
  readonly url: string
  /** What the node says; the rest is added. */
  readonly headers: Headers
  readonly body: Body | null
  /** Opened already, where it had to be. */
  readonly connection?: OpenConnection
}

/** Sends a request, and those for further pages, and gives out what is answered. */
export async function sendAndRead({
  step,
  fields,
  pagination,
  method,
  url,
  headers: given,
  body,
  connection = fields.connection === '' ? undefined : step.connection(fields.connection, ['http'])
}: Sending) {
  const content = body === null ? null : await sendable(body.content, step)
  const headers = completed(given, body === null ? undefined : body.contentType)
  const send = connection?.request ?? step.request
  const allowance = new ByteAllowance(fields.max_bytes, step.outputLimit)
  const ask = (at: string, page: number) =>
    call({
      send,
      url: at,
      method,
      headers: keyed(headers, step.idempotencyKey, page),
      body: content,
      fields,
      allowance,
      step
    })
  if (pagination === undefined) {
    const response = await ask(url, 1)
    return { body: response.body, response }
  }
  const { items, count, last } = await readPages(pagination, url, {
    ask,
    origins: connection && originsOf(connection, url),
    carried: step.carried,
    variables: step.run.variables,
    allowance,
    signal: step.signal
  })
  const all: JsonValue = items
  return { body: all, response: { ...last, body: all, pages: count } }
}

/** The connection's own, and the one that the flow itself names. */
function originsOf({ settings }: OpenConnection, url: string): ReadonlySet<string> {
  const urls = [URL.parse(String(settings.base_url)), URL.parse(url)]
  return new Set(urls.flatMap((each) => (each === null ? [] : [each.origin])))
}

/** What every request carries, unless the node says otherwise; an empty value takes it out. */
function completed(given: Headers, contentType: string | undefined): Headers {
  const headers: Headers = {
    'user-agent': 'Millrace',
    accept: 'application/json, text/plain;q=0.9, */*;q=0.8'
  }
  if (contentType !== undefined) headers['content-type'] = contentType
  return { ...headers, ...given }
}

/** Each page is a request of its own: one key for all would be answered with the first page again. */
function keyed(headers: Headers, key: string, page: number): Headers {
  const all: Headers = { 'idempotency-key': page === 1 ? key : `${key}/${page}`, ...headers }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** The key is known to nobody who could put the boundary into a value. */
export function boundaryOf(key: string): string {
  return `millrace-${key.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 50)}`
}
